import { kindOf } from '@postmaster/contracts';
import type { Candidate } from './candidate-store.js';
import { type Fused, type FuseOptions, fuseScores } from './fuse-scores.js';
import { legible, shareHeld, type WeighedWord } from './question-words.js';

/** What a summary's score counts for beside a paragraph's (docs/decisions/0031-the-summary-as-a-point.md). */
export const SUMMARY_WEIGHT = 0.8;

/**
 * Paragraphs by their fused scores, which are as without summaries, and between them, on the paragraphs' scales, the
 * summaries that hold more of the question's words than each paragraph of their document among these.
 */
export const fuseWithSummaries = (
  paragraphs: readonly Candidate[],
  summaries: readonly Candidate[],
  options: FuseOptions,
  words: readonly WeighedWord[],
  weight = SUMMARY_WEIGHT,
): Fused<Candidate>[] => {
  const telling = tellingMore(newest(summaries), paragraphs, words);
  const fused = fuseScores(paragraphs, options, telling);
  if (telling.length === 0) return fused;
  return fused
    .map((one) => (kindOf(one.candidate.payload) === 'summary' ? { ...one, score: one.score * weight } : one))
    .sort((a, b) => b.score - a.score);
};

/** Of each document one: for a moment two versions may answer. */
const newest = (summaries: readonly Candidate[]): Candidate[] => {
  const byVersion = [...summaries].sort((a, b) => a.payload.version - b.payload.version);
  return [...new Map(byVersion.map((one) => [one.payload.document, one])).values()];
};

const tellingMore = (
  summaries: readonly Candidate[],
  paragraphs: readonly Candidate[],
  words: readonly WeighedWord[],
): Candidate[] =>
  summaries.filter((summary) => {
    const held = heldBy(summary, words);
    return paragraphs.every((one) => one.payload.document !== summary.payload.document || heldBy(one, words) < held);
  });

const heldBy = ({ payload }: Candidate, words: readonly WeighedWord[]): number =>
  shareHeld(legible(payload.text), words);
