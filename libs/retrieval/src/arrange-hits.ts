import { type HitGroup, kindOf, type SearchHit, type SearchOptions } from '@postmaster/contracts';
import type { Candidate } from './candidate-store.js';
import { diversify } from './diversify.js';
import { type Fold, foldRepeats, unfolded } from './fold-repeats.js';
import type { Fused } from './fuse-scores.js';
import { MOST_CHECKED } from './keep-living.js';

type Hit = Pick<Fused<Candidate>, 'candidate' | 'score'>;

export const PER_GROUP = 3;
/** Diversity chooses among at least so many. */
const CHOICE = 50;

/**
 * The best from which hits are chosen, near-duplicates folded: twice as many as are asked for, as some may be gone, and
 * all that can be checked where hits are grouped.
 */
export const foldLikely = <H extends Hit>(
  best: Iterable<H>,
  first: number,
  { foldDuplicates = true, diversity = 0, groupBy }: SearchOptions,
): Fold<H>[] => {
  const most = groupBy ? MOST_CHECKED : diversity > 0 ? Math.max(2 * first, CHOICE) : 2 * first;
  const bounds = { most, atMost: MOST_CHECKED };
  return foldDuplicates ? foldRepeats(best, ({ candidate }) => textToFold(candidate), bounds) : unfolded(best, bounds);
};

/** No paragraph repeats a summary, which may be made of its sentences. */
const textToFold = ({ id, payload }: Candidate): string => (kindOf(payload) === 'summary' ? id : payload.text || id);

/** The first of them, or the best few of each of the first documents: document by document, as their best ones stand. */
export const arrangeHits = <H extends Hit>(
  folds: readonly Fold<H>[],
  first: number,
  { diversity = 0, groupBy, perGroup = PER_GROUP }: SearchOptions,
): Fold<H>[] => {
  const rankedOf = ([{ candidate, score }]: Fold<H>) => ({ text: candidate.payload.text, score });
  const ordered = diversify(folds, rankedOf, diversity, groupBy ? first * perGroup : first);
  if (!groupBy) return ordered.slice(0, first);
  const groups = new Map<string, Fold<H>[]>();
  for (const fold of ordered) {
    const { document } = fold[0].candidate.payload;
    const group = groups.get(document) ?? [];
    if (group.length === 0 && groups.size === first) continue;
    if (group.length < perGroup) groups.set(document, [...group, fold]);
  }
  return [...groups.values()].flat();
};

/** Hits that are arranged by document, as groups. */
export const groupsOf = (hits: readonly SearchHit[]): HitGroup[] => {
  const groups = new Map<string, HitGroup>();
  for (const hit of hits) {
    const { document, title } = hit.paragraph;
    const group = groups.get(document) ?? { document, title, hits: [] };
    group.hits.push(hit);
    groups.set(document, group);
  }
  return [...groups.values()];
};
