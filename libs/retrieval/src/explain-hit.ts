import { type Duplicate, type HitParagraph, type LegMatch, SCORED_LEGS, type ScoredLeg } from '@postmaster/contracts';
import { bestSentence } from './best-sentence.js';
import type { Candidate } from './candidate-store.js';
import type { FusedLeg } from './fuse-scores.js';
import type { WeighedWord } from './question-words.js';

/** What each leg says of a hit, in the order of SCORED_LEGS, with the text that it matched. */
export const explainHit = (
  { payload, matched, named }: Candidate,
  legs: Partial<Record<ScoredLeg, FusedLeg>>,
  words: readonly WeighedWord[],
  shares: Partial<Record<ScoredLeg, number>>,
): LegMatch[] => {
  const sentence = bestSentence(payload.text, words)?.text ?? null;
  const textOf = (leg: ScoredLeg): string | null => {
    switch (leg) {
      case 'paragraph':
      case 'lexical':
        return sentence;
      case 'simple_questions':
        return payload.simpleQuestions[matched.simple_questions ?? 0] ?? null;
      case 'complex_questions':
        return payload.complexQuestions[matched.complex_questions ?? 0] ?? null;
      case 'context':
      case 'scope':
        return payload[leg] || null;
      case 'entities':
        return named?.join(', ') || null;
    }
  };
  return SCORED_LEGS.flatMap((leg) => {
    const match = legs[leg];
    if (match === undefined) return [];
    const { raw: score, scaled, rank, weight } = match;
    return [{ leg, score, scaled, rank, weight, share: shares[leg] ?? 0, text: textOf(leg) }];
  });
};

export const duplicateOf = ({ candidate: { id, payload } }: { candidate: Candidate }): Duplicate => ({
  id,
  document: payload.document,
  title: payload.title,
});

export const hitParagraph = ({ id, payload }: Pick<Candidate, 'id' | 'payload'>): HitParagraph => ({
  id,
  document: payload.document,
  version: payload.version,
  title: payload.title,
  text: payload.text,
  position: payload.position,
  page: payload.page,
  start: payload.start,
  end: payload.end,
  trail: payload.trail,
  language: payload.language,
  contentType: payload.contentType,
  sourceType: payload.sourceType,
  sourceId: payload.sourceId,
  collection: payload.collection,
});
