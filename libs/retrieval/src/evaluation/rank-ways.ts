import { type EvaluationCollection, type EvaluationWay, type Leg, LEGS, type TenantId } from '@postmaster/contracts';
import type { CandidateStore, Probe, Scored } from '../candidate-store.js';
import { fuseScores, type Scorable } from '../fuse-scores.js';
import type { WayPlan } from './way-plans.js';

/** Where an evaluation's points are. */
export interface EvaluationPlace {
  tenant: TenantId;
  indexes: Partial<Record<EvaluationCollection, string>>;
  paragraphs: number;
  /** Of the evaluation's entities; the tenant's own where there is none. */
  graph?: string;
}

export interface RankedWay {
  ranked: string[];
  ms: number | null;
}

/** What the legs found, and all of it with its score on every leg. */
export interface Scores {
  lists: Partial<Record<Leg, Scored[]>>;
  candidates: readonly Scorable[];
}

interface RankPorts {
  store: CandidateStore;
  now: () => number;
}

type Question = Pick<Probe, 'vector' | 'text'>;
export type PlannedWay = readonly [EvaluationWay, WayPlan];

/** Each way as a search of its own, with its own time. */
export const rankTimed =
  (ports: RankPorts, place: EvaluationPlace, first: number) =>
  async (question: Question, plan: WayPlan): Promise<RankedWay> => {
    const began = ports.now();
    const ranked = rankBy(plan, await scoresFor(ports.store, place, question, plan), first);
    return { ranked, ms: ports.now() - began };
  };

/** Ways that look at the same points equally deep share what is found; what each would have taken is not known. */
export const rankShared = async (
  { store }: Pick<RankPorts, 'store'>,
  place: EvaluationPlace,
  first: number,
  question: Question,
  ways: readonly PlannedWay[],
): Promise<Partial<Record<EvaluationWay, RankedWay>>> => {
  const shared = new Map<string, WayPlan>();
  const keyOf = ({ collection, depth }: WayPlan): string => `${collection} ${perLeg(depth, place)}`;
  for (const [, plan] of ways) {
    const legs = new Set([...(shared.get(keyOf(plan))?.legs ?? []), ...plan.legs]);
    const ranksOnly = plan.ranksOnly && (shared.get(keyOf(plan)) ?? plan).ranksOnly; // where all of them go by ranks
    shared.set(keyOf(plan), { ...plan, ranksOnly, legs: LEGS.filter((leg) => legs.has(leg)) });
  }
  const found = new Map<string, Scores>();
  for (const [key, plan] of shared) found.set(key, await scoresFor(store, place, question, plan));
  return Object.fromEntries(
    ways.map(([way, plan]) => [way, { ranked: rankBy(plan, found.get(keyOf(plan)) ?? NOTHING, first), ms: null }]),
  );
};

/** The ids by the plan's fusion over the candidates that its own legs brought, best first. */
export const rankBy = ({ legs, fuse, ranksOnly }: WayPlan, { lists, candidates }: Scores, first: number): string[] => {
  const [only] = legs;
  if (only && legs.length === 1) return (lists[only] ?? []).slice(0, first).map(({ id }) => id);
  if (ranksOnly) return reciprocalRanks(legs, lists, ranksOnly.k).slice(0, first);
  const own = new Set(legs.flatMap((leg) => (lists[leg] ?? []).map(({ id }) => id)));
  const fused = fuseScores(
    candidates.filter(({ id }) => own.has(id)),
    fuse,
  );
  return fused.slice(0, first).map(({ candidate }) => candidate.id);
};

/** By the sum of 1 / (k + rank) over the lists that have it; equals, of which there are many, in the order of the last leg. */
const reciprocalRanks = (legs: readonly Leg[], lists: Scores['lists'], k: number): string[] => {
  const sums = new Map<string, number>();
  for (const leg of [...legs].reverse())
    for (const [at, { id }] of (lists[leg] ?? []).entries()) sums.set(id, (sums.get(id) ?? 0) + 1 / (k + at + 1));
  return [...sums].sort(([, one], [, other]) => other - one).map(([id]) => id); // stable: equals stay as they came
};

const NOTHING: Scores = { lists: {}, candidates: [] };

/** One more than there are: a list that is shorter than what was asked for has all that there is. */
const perLeg = (depth: number, { paragraphs }: EvaluationPlace): number => Math.min(depth, paragraphs + 1);

const scoresFor = async (
  store: CandidateStore,
  place: EvaluationPlace,
  question: Question,
  { collection, legs, depth, ranksOnly }: WayPlan,
): Promise<Scores> => {
  const index = place.indexes[collection];
  if (index === undefined) return NOTHING;
  const probe = { ...question, legs };
  const most = perLeg(depth, place);
  const lists = await store.candidates(place.tenant, index, probe, most);
  if (legs.length === 1 || ranksOnly) return { lists, candidates: [] };
  if (legs.every((leg) => (lists[leg]?.length ?? 0) < most)) return { lists, candidates: listed(legs, lists) };
  const ids = new Set(Object.values(lists).flatMap((list) => list.map(({ id }) => id)));
  return { lists, candidates: await store.complete(place.tenant, index, probe, [...ids]) };
};

/** The candidates of lists that have all there is: what a vector's leaves out has no such vector, and no word matches it. */
const listed = (legs: readonly Leg[], lists: Partial<Record<Leg, Scored[]>>): Scorable[] => {
  const scores = new Map<string, Partial<Record<Leg, number>>>();
  for (const leg of legs)
    for (const { id, score } of lists[leg] ?? []) {
      const own = scores.get(id) ?? (legs.includes('lexical') ? { lexical: 0 } : {});
      own[leg] = score;
      scores.set(id, own);
    }
  return [...scores].map(([id, own]) => ({ id, scores: own }));
};
