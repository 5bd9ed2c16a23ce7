import { failure, type Notice, type PlanCondition, type SearchFilter } from '@postmaster/contracts';
import { describeCondition } from './describe-condition.js';
import { filterOf } from './filter-of.js';

export interface Relaxed<T> {
  found: T;
  /** What the search went by in the end. */
  filter: SearchFilter | undefined;
  dropped: PlanCondition[];
  notices: Notice[];
}

/**
 * Searches with a plan's conditions, and without the least certain one for as long as nothing is found; the caller's own
 * filter always holds. Takes a round more for each condition that is dropped, at most as many as a plan may have.
 */
export const searchRelaxing = async <T>(
  own: SearchFilter | undefined,
  conditions: readonly PlanCondition[],
  find: (filter: SearchFilter | undefined) => Promise<T>,
  isEmpty: (found: T) => boolean,
): Promise<Relaxed<T>> => {
  const kept = [...conditions].sort((a, b) => b.certainty - a.certainty);
  const dropped: PlanCondition[] = [];
  for (;;) {
    const filter = filterOf(own, kept);
    const found = await find(filter);
    if (kept.length === 0 || !isEmpty(found)) return { found, filter, dropped, notices: dropped.map(relaxedNotice) };
    dropped.push(kept.pop()!);
  }
};

const relaxedNotice = (condition: PlanCondition): Notice =>
  failure('FILTER_RELAXED', `Nothing was found with ${describeCondition(condition)}: that condition was dropped.`);
