import { kindOf } from '@postmaster/contracts';
import type { Candidate } from './candidate-store.js';
import { type Fused, type FuseOptions, fuseScores } from './fuse-scores.js';

type Ranked = Pick<Fused<Candidate>, 'candidate'>;

/** What a summary's score counts for beside a paragraph's (docs/decisions/0031-the-summary-as-a-point.md). */
export const SUMMARY_WEIGHT = 0.8;

/**
 * Paragraphs by their fused scores, which are as without summaries, and between them the summaries that fit better than
 * every paragraph of their document, on the paragraphs' scales. Of equals paragraphs come first.
 */
export const fuseWithSummaries = (
  paragraphs: readonly Candidate[],
  summaries: readonly Candidate[],
  options: FuseOptions,
  weight = SUMMARY_WEIGHT,
): Fused<Candidate>[] => {
  if (summaries.length === 0) return fuseScores(paragraphs, options);
  const fused = fuseScores(paragraphs, options, summaries).map((one) =>
    isSummary(one) ? { ...one, score: one.score * weight } : one,
  );
  return uncovered(fused.sort((a, b) => b.score - a.score || Number(isSummary(a)) - Number(isSummary(b))));
};

/** Without the summaries that stand below a paragraph of their document: that one shows where it is said. */
export const uncovered = <R extends Ranked>(ranked: readonly R[]): R[] => {
  const shown = new Set<string>();
  return ranked.filter((one) => {
    const { document } = one.candidate.payload;
    const covered = isSummary(one) && shown.has(document);
    shown.add(document);
    return !covered;
  });
};

const isSummary = ({ candidate }: Ranked): boolean => kindOf(candidate.payload) === 'summary';
