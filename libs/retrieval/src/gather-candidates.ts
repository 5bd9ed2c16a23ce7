import type { Leg, TenantId } from '@postmaster/contracts';
import type { Candidate, CandidateStore, Probe, Scored } from './candidate-store.js';

/** How many of each leg's best become candidates. */
export const PER_LEG = 50;

export interface Gathered {
  lists: Partial<Record<Leg, Scored[]>>;
  /** All that is in a list, with its score on every leg. */
  candidates: Candidate[];
  /** When the lists were there, and when their scores were complete, by the clock that was given. */
  listed: number;
  completed: number;
}

/** The union of each leg's best `perLeg`, and of ids from elsewhere, then what scores those lists left out. */
export const gatherCandidates =
  ({ store, now }: { store: CandidateStore; now: () => number }) =>
  async (
    tenant: TenantId,
    index: string,
    probe: Probe,
    perLeg: number,
    also: Iterable<string> = [],
  ): Promise<Gathered> => {
    const lists = await store.candidates(tenant, index, probe, perLeg);
    const listed = now();
    const ids = new Set([...Object.values(lists).flatMap((list) => list.map(({ id }) => id)), ...also]);
    const candidates = ids.size === 0 ? [] : await store.complete(tenant, index, probe, [...ids]);
    return { lists, candidates, listed, completed: now() };
  };
