import { type Leg, LEGS } from '@postmaster/contracts';
import type { Judgements } from '../metrics.js';
import type { CandidateScores } from '../ways.js';

export type LegWeights = Readonly<Record<Leg, number>>;

const DEPTH = 10;

/** A leg of all candidates; where one has none, its `present` is 0 instead of 1. */
interface Column {
  raw: Float64Array;
  present: Float64Array;
}

/** The candidates that a search by some of the legs would have had, and what their scores are scaled by. */
interface Searched {
  rows: Int32Array;
  /** A leg whose candidates are all equal is left out. */
  scales: (Column & { leg: Leg; least: number; range: number })[];
}

/**
 * nDCG@10 of one question for any weights, from one search: as the search by those weights would rank under min-max
 * fusion. That holds because the candidates of a search by all legs hold every leg's best `perLeg` with their exact
 * scores: those of a leg that weighs nothing, which would not be searched, are left out again.
 */
export const rankByWeights = (
  candidates: readonly CandidateScores[],
  judged: Judgements,
  perLeg: number,
): ((weights: LegWeights) => number) => {
  const ordered = [...candidates].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)); // equals stand so
  const columns = LEGS.map((leg) => columnOf(ordered.map(({ scores }) => scores[leg])));
  const right = ordered.flatMap(({ id }, row) => {
    const grade = judged.get(id) ?? 0;
    return grade > 0 ? [{ row, gain: gainOf(grade) }] : [];
  });
  const gains = [...judged.values()].map(gainOf).sort((a, b) => b - a);
  const best = gains.slice(0, DEPTH).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
  const known = new Map<number, Searched>();
  const [scores, totals] = [new Float64Array(ordered.length), new Float64Array(ordered.length)];
  return (weights) => {
    if (right.length === 0) return 0;
    let legs = 0;
    for (let at = 0; at < LEGS.length; at++) if (weights[LEGS[at]!] > 0) legs |= 1 << at;
    let searched = known.get(legs);
    if (!searched) known.set(legs, (searched = searchedBy(columns, legs, perLeg)));
    scores.fill(-1); // below all that are candidates
    scoreAll(searched, weights, scores, totals);
    let gained = 0;
    for (const { row, gain } of right) gained += discounted(gain, scores, row);
    return gained / best;
  };
};

const gainOf = (grade: number): number => 2 ** grade - 1;

const columnOf = (scores: readonly (number | undefined)[]): Column => ({
  raw: Float64Array.from(scores, (score) => score ?? 0),
  present: Float64Array.from(scores, (score) => (score === undefined ? 0 : 1)),
});

const discounted = (gain: number, scores: Float64Array, row: number): number => {
  const own = scores[row]!;
  if (own < 0) return 0;
  let rank = 1;
  for (let other = 0; other < scores.length && rank <= DEPTH; other++)
    if (scores[other]! > own || (scores[other] === own && other < row)) rank++;
  return rank <= DEPTH ? gain / Math.log2(rank + 1) : 0;
};

/** As retrieval's fuseScores: the weighted mean of the legs that a candidate has; 1 for all where no leg tells any apart. */
const scoreAll = (
  { rows, scales }: Searched,
  weights: LegWeights,
  scores: Float64Array,
  totals: Float64Array,
): void => {
  for (const row of rows) scores[row] = totals[row] = 0;
  for (const { leg, raw, present, least, range } of scales) {
    const weight = weights[leg];
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      const own = weight * present[row]!;
      scores[row]! += ((raw[row]! - least) / range) * own;
      totals[row]! += own;
    }
  }
  for (const row of rows)
    scores[row] = scales.length === 0 ? 1 : totals[row]! > 0 ? Math.min(1, scores[row]! / totals[row]!) : 0;
};

const searchedBy = (columns: readonly Column[], legs: number, perLeg: number): Searched => {
  const own = LEGS.flatMap((leg, at) => (legs & (1 << at) ? [{ leg, ...columns[at]! }] : []));
  const rows = Int32Array.from(new Set(own.flatMap((column) => bestOf(column, column.leg, perLeg)))).sort();
  const scales = own.flatMap((column): Searched['scales'] => {
    const scores = [...rows].filter((row) => column.present[row]! > 0).map((row) => column.raw[row]!);
    const least = Math.min(...scores);
    const range = Math.max(...scores) - least;
    return range > 0 ? [{ ...column, least, range }] : [];
  });
  return { rows, scales };
};

/** The rows of a leg's list; no word in common is no place in the lexical one. */
const bestOf = ({ raw, present }: Column, leg: Leg, most: number): number[] =>
  [...raw.keys()]
    .filter((row) => present[row]! > 0 && (leg !== 'lexical' || raw[row]! > 0))
    .sort((a, b) => raw[b]! - raw[a]! || a - b)
    .slice(0, most);
