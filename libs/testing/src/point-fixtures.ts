import { type IndexSpec, type Leg, LEGS, type PointPayload, TenantId } from '@postmaster/contracts';
import type { PointPatch, PointStore } from '@postmaster/embedding';
import type { Candidate, CandidateStore, Probe } from '@postmaster/retrieval';
import { pointPayload } from './fake-candidate-store.js';

export type Points = PointStore & CandidateStore;

export const ours = TenantId.parse('ours');
export const theirs = TenantId.parse('theirs');
export const spec: IndexSpec = { name: 'index_of-tests', encoder: 'test:eight', dimension: 8 };

/** What every probe here asks; `leaning(c)` has the cosine c to it. */
export const asked = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);

/** A unit vector of the given cosine to `asked`; never of whole numbers only. */
export const leaning = (cosine: number, aside = 1): Float32Array => {
  const vector = new Float32Array(8);
  vector[0] = cosine;
  vector[aside] = Math.sqrt(1 - cosine * cosine);
  return vector;
};

export const probe = (given: Partial<Probe> = {}): Probe => ({ vector: asked, text: '', legs: [...LEGS], ...given });

export const text = (id: string, words: string, payload: Partial<PointPayload> = {}): PointPatch => ({
  id,
  revision: 1,
  payload: pointPayload({ text: words, ...payload }),
  vectors: { paragraph: leaning(0.5) },
});

/** Both round trips of a search: what every leg found, completed; best of the leg first where one is named. */
export const found = async (store: Points, given: Partial<Probe> = {}, tenant = ours): Promise<string[]> => {
  const lists = await store.candidates(tenant, spec.name, probe(given), 50);
  return [...new Set(Object.values(lists).flatMap((list) => list.map(({ id }) => id)))].sort();
};

export const completed = async (
  store: Points,
  ids: readonly string[],
  given: Partial<Probe> = {},
): Promise<Map<string, Candidate>> => {
  const candidates = await store.complete(ours, spec.name, probe(given), ids);
  return new Map(candidates.map((candidate) => [candidate.id, candidate]));
};

/** A leg's answer as pairs of id and score. */
export const leg = async (store: Points, name: Leg, given: Partial<Probe> = {}): Promise<[string, number][]> => {
  const lists = await store.candidates(ours, spec.name, probe({ ...given, legs: [name] }), 50);
  return (lists[name] ?? []).map(({ id, score }) => [id, score]);
};
