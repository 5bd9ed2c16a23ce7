import { kindOf } from '@postmaster/contracts';
import type { Candidate } from './candidate-store.js';
import { type Fused, type FuseOptions, fuseScores } from './fuse-scores.js';
import { legible, shareHeld, type WeighedWord } from './question-words.js';

type Ranked = Pick<Fused<Candidate>, 'candidate'>;

/** What a summary's score counts for beside a paragraph's (docs/decisions/0031-the-summary-as-a-point.md). */
export const SUMMARY_WEIGHT = 0.8;

/**
 * Paragraphs by their fused scores, which are as without summaries, and between them, on the paragraphs' scales, the
 * summaries that tell more than their documents' paragraphs do. Of equals paragraphs come first.
 */
export const fuseWithSummaries = (
  paragraphs: readonly Candidate[],
  summaries: readonly Candidate[],
  options: FuseOptions,
  words: readonly WeighedWord[],
  weight = SUMMARY_WEIGHT,
): Fused<Candidate>[] => {
  if (summaries.length === 0) return fuseScores(paragraphs, options);
  const fused = fuseScores(paragraphs, options, summaries).map((one) =>
    isSummary(one) ? { ...one, score: one.score * weight } : one,
  );
  const ranked = fused.sort((a, b) => b.score - a.score || Number(isSummary(a)) - Number(isSummary(b)));
  return withoutTold(ranked, words);
};

/**
 * Without the summaries that tell nothing new: below a paragraph of their document that holds as much of the question's
 * words. Of one document there is one at most.
 */
export const withoutTold = <R extends Ranked>(ranked: readonly R[], words: readonly WeighedWord[]): R[] => {
  if (!ranked.some(isSummary)) return [...ranked];
  const told = new Map<string, Ranked[]>();
  return ranked.filter((one) => {
    const { document } = one.candidate.payload;
    const above = told.get(document) ?? [];
    told.set(document, [...above, one]);
    if (!isSummary(one) || above.length === 0) return true;
    const held = heldBy(one, words);
    return !above.some((other) => isSummary(other) || heldBy(other, words) >= held);
  });
};

const heldBy = ({ candidate }: Ranked, words: readonly WeighedWord[]): number =>
  shareHeld(legible(candidate.payload.text), words);

const isSummary = ({ candidate }: Ranked): boolean => kindOf(candidate.payload) === 'summary';
