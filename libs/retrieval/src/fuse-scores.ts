import { type Fusion, type Leg, SCORED_LEGS, type ScoredLeg } from '@postmaster/contracts';
import { poolOf, type Pool } from './pool-scores.js';
import { competitionRanks, scaleOf } from './scale-scores.js';

/** What a leg counts for; flat around these on the evaluation sets. */
export const DEFAULT_WEIGHTS: Readonly<Record<Leg, number>> = {
  paragraph: 0.4,
  simple_questions: 0.15,
  complex_questions: 0.15,
  context: 0.15,
  scope: 0.15,
  lexical: 0.9,
};
export const DEFAULT_K = 60;
export const DEFAULT_TEMPERATURE = 0.1;

export interface FuseOptions {
  fusion?: Fusion;
  weights?: Partial<Record<ScoredLeg, number>>;
  k?: number;
  temperature?: number;
}

/** `scores` hold what a candidate has; an absent one is missing, not zero. */
export interface Scorable {
  id: string;
  scores: Partial<Record<ScoredLeg, number>>;
}

export interface FusedLeg {
  raw: number;
  /** 0…1 within these candidates. */
  scaled: number;
  /** 1 + the number of candidates that score higher on this leg. */
  rank: number;
  /** The leg's share among those that counted for this candidate; they sum to 1. 0: the leg told nobody apart. */
  weight: number;
}

export interface Fused<C extends Scorable> {
  candidate: C;
  /** 0…1. Orders the candidates of one question; says nothing across questions. */
  score: number;
  legs: Partial<Record<ScoredLeg, FusedLeg>>;
}

interface Column {
  leg: ScoredLeg;
  weight: number;
  raw: Float64Array; // NaN where missing
  scaled: Float64Array;
  pooled: Float64Array; // what the pool takes: `scaled`, but for z-scores
  ranks: Int32Array;
  counts: boolean;
}

/**
 * One score per candidate from its scores on several legs, best first; equal ones stand in the order of their ids,
 * and the order of the input changes nothing.
 *
 * A candidate's score is pooled over the legs that it has: missing ones neither help nor hurt.
 * - `min-max` (default): each leg scaled to 0…1 between its least and greatest score here; weighted mean.
 * - `rrf`: reciprocal rank (Cormack, Clarke and Büttcher, SIGIR 2009) over its greatest value, (k + 1) / (k + rank);
 *   weighted mean.
 * - `z-score`: weighted mean of (score − mean) / deviation, brought to 0…1 by the normal distribution function.
 * - `mean`, `max`, `softmax`: of the scores themselves (negative cosines as 0, BM25 over its greatest value here).
 *   `softmax` weighs each by e^(score / temperature): near `mean` when hot, near `max` when cold. It is the one of
 *   the six in which a leg far below the others can lower the score by rising, as it then weighs more.
 *
 * `beside` are scored on the scales of the candidates, and change no candidate's score.
 *
 * In the first three a leg on which all candidates are equal drops out; where all legs do, as with a single
 * candidate, every score is 1. A candidate with none of the legs that count scores 0.
 */
export const fuseScores = <C extends Scorable>(
  candidates: readonly C[],
  options: FuseOptions = {},
  beside: readonly C[] = [],
): Fused<C>[] => {
  const fusion = options.fusion ?? 'min-max';
  const ordered = [...[...candidates].sort(byId), ...[...beside].sort(byId)];
  const columns: Column[] = [];
  for (const leg of SCORED_LEGS) {
    const weight = options.weights?.[leg] ?? (leg === 'entities' ? 0 : DEFAULT_WEIGHTS[leg]);
    if (weight > 0) columns.push(columnOf(leg, weight, ordered, candidates.length, fusion, options.k ?? DEFAULT_K));
  }
  const relative = fusion === 'min-max' || fusion === 'rrf' || fusion === 'z-score';
  const allEqual = relative && !columns.some((column) => column.counts);
  const live = relative && !allEqual ? columns.filter((column) => column.counts) : columns;
  const pool = poolOf(fusion, options.temperature ?? DEFAULT_TEMPERATURE);
  const fused = ordered.map((candidate, row) => fuseRow(candidate, row, columns, live, allEqual ? () => 1 : pool));
  return fused.sort((a, b) => b.score - a.score); // stable: ids decide between equals
};

const byId = (a: Scorable, b: Scorable): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The first `counted` rows make the scale. */
const columnOf = (
  leg: ScoredLeg,
  weight: number,
  rows: readonly Scorable[],
  counted: number,
  fusion: Fusion,
  k: number,
): Column => {
  const raw = new Float64Array(rows.length);
  let least = Infinity;
  let greatest = -Infinity;
  for (let row = 0; row < rows.length; row++) {
    const score = rows[row]!.scores[leg];
    raw[row] = score !== undefined && Number.isFinite(score) ? score : NaN;
    if (row < counted && raw[row]! < least) least = raw[row]!;
    if (row < counted && raw[row]! > greatest) greatest = raw[row]!;
  }
  const among = raw.subarray(0, counted);
  const ranks = competitionRanks(raw, among);
  return { leg, weight, raw, ranks, counts: greatest > least, ...scaleOf(fusion, leg, raw, ranks, k, among) };
};

const fuseRow = <C extends Scorable>(
  candidate: C,
  row: number,
  columns: readonly Column[],
  live: readonly Column[],
  pool: Pool,
): Fused<C> => {
  const values: number[] = [];
  const weights: number[] = [];
  let total = 0;
  for (const column of live) {
    if (Number.isNaN(column.raw[row])) continue;
    values.push(column.pooled[row]!);
    weights.push(column.weight);
    total += column.weight;
  }
  const legs: Partial<Record<ScoredLeg, FusedLeg>> = {};
  for (const column of columns) {
    const raw = column.raw[row]!;
    if (Number.isNaN(raw)) continue;
    const weight = live.includes(column) ? column.weight / total : 0;
    legs[column.leg] = { raw, scaled: column.scaled[row]!, rank: column.ranks[row]!, weight };
  }
  const score = values.length === 0 ? 0 : Math.min(1, Math.max(0, pool(values, weights, total)));
  return { candidate, score, legs };
};
