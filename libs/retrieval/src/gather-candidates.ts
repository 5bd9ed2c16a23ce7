import type { Leg, TenantId } from '@postmaster/contracts';
import type { Candidate, CandidateStore, Probe, Scored } from './candidate-store.js';

/** How many of each leg's best become candidates. */
export const PER_LEG = 50;
/** A summary has no facets. */
const SUMMARY_LEGS = ['paragraph', 'lexical'] as const satisfies Leg[];
const SUMMARIES_PER_LEG = 10;

export interface Gathered {
  lists: Partial<Record<Leg, Scored[]>>;
  /** All that is in a list, with its score on every leg. */
  candidates: Candidate[];
  /** The same of documents' summaries; none where they were not asked for. */
  summaries: Candidate[];
  /** When the lists were there, and when their scores were complete, by the clock that was given. */
  listed: number;
  completed: number;
}

/**
 * The union of each leg's best `perLeg`, and of ids from elsewhere, then what scores those lists left out; the best
 * summaries beside them, in the same round trips.
 */
export const gatherCandidates =
  ({ store, now }: { store: CandidateStore; now: () => number }) =>
  async (
    tenant: TenantId,
    index: string,
    probe: Probe,
    perLeg: number,
    also: Iterable<string> = [],
    withSummaries = false,
  ): Promise<Gathered> => {
    const legs = SUMMARY_LEGS.filter((leg) => probe.legs.includes(leg));
    const [lists, ofSummaries] = await Promise.all([
      store.candidates(tenant, index, probe, perLeg),
      withSummaries && legs.length > 0
        ? store.candidates(tenant, index, { ...probe, legs, kind: 'summary' }, SUMMARIES_PER_LEG)
        : {},
    ]);
    const listed = now();
    const summed = new Set(idsIn(ofSummaries));
    const ids = new Set([...idsIn(lists), ...summed, ...also]);
    const found = ids.size === 0 ? [] : await store.complete(tenant, index, probe, [...ids]);
    // By their ids: a store may read a payload only when somebody asks for it, and of most candidates nobody does.
    const candidates = found.filter(({ id }) => !summed.has(id));
    const summaries = found.filter(({ id }) => summed.has(id));
    return { lists, candidates, summaries, listed, completed: now() };
  };

const idsIn = (lists: Gathered['lists']): string[] => Object.values(lists).flatMap((list) => list.map(({ id }) => id));
