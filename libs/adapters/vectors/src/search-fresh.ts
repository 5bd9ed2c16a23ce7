import type { NamedVector, PointPayload } from '@postmaster/contracts';
import type { Scored } from '@postmaster/retrieval';
import { dot } from './cosine.js';
import type { FreshPoints } from './fresh-points.js';

type Passes = (payload: PointPayload) => boolean;

/** The nearest of the fresh points by cosine, the best vector of each counting, best first. */
export const nearestFresh = (
  fresh: FreshPoints,
  leg: NamedVector,
  question: Float32Array,
  passes: Passes,
  most: number,
): Scored[] => {
  const length = Math.sqrt(dot(question, question));
  const found: Scored[] = [];
  for (const { id, payload, vectors, lengths } of fresh.present()) {
    const own = vectors[leg];
    if (own.length === 0 || !passes(payload)) continue;
    let score = -Infinity;
    for (let i = 0; i < own.length; i++) {
      const product = length * (lengths[leg][i] as number); // a length for each vector
      const cosine = product === 0 ? 0 : dot(question, own[i] as Float32Array) / product;
      if (cosine > score) score = cosine;
    }
    found.push({ id, score });
  }
  return best(found, most);
};

/** The fresh points with the best BM25, best first; those that no term matches are left out. */
export const lexicalFresh = (
  fresh: FreshPoints,
  bm25: (terms: Uint32Array) => number,
  passes: Passes,
  most: number,
): Scored[] => {
  const found: Scored[] = [];
  for (const { id, payload, terms } of fresh.present()) {
    if (!passes(payload)) continue;
    const score = bm25(terms);
    if (score > 0) found.push({ id, score });
  }
  return best(found, most);
};

/** The `most` best, best first; equal scores by id. */
export const best = (found: readonly Scored[], most: number): Scored[] => {
  const least = found.length > most ? leastOf(found, most) : undefined;
  const enough = least === undefined ? [...found] : found.filter(({ score }) => score >= least);
  return enough.sort(byScore).slice(0, most);
};

/** The score of the last of the `most` best. */
const leastOf = (found: readonly Scored[], most: number): number | undefined => {
  const scores = new Float64Array(found.length);
  for (let i = 0; i < found.length; i++) scores[i] = (found[i] as Scored).score; // within bounds
  return scores.sort()[found.length - most];
};

const byScore = (a: Scored, b: Scored): number => b.score - a.score || (a.id < b.id ? -1 : 1);
