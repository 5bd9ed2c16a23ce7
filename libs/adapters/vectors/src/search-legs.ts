import { MatchQuery, Operator, type Table } from '@lancedb/lancedb';
import type { Leg, NamedVector } from '@postmaster/contracts';
import type { Probe, Scored } from '@postmaster/retrieval';
import { lexicalTerms, termHash } from './lexical-terms.js';
import type { OpenTable } from './open-table.js';
import { pointCondition } from './point-condition.js';
import { rowReader } from './row-reader.js';
import { probesFor } from './table-indexes.js';

/** Each leg's best points, all legs at once. */
export const searchLegs = async (
  table: OpenTable,
  probe: Probe,
  most: number,
  indexed: { lexical: boolean },
): Promise<Partial<Record<Leg, Scored[]>>> => {
  const condition = pointCondition(probe.filter);
  const search = (leg: Leg): Promise<Scored[]> =>
    leg === 'lexical'
      ? lexical(table, questionTerms(probe.text), condition, most, indexed.lexical)
      : nearest(table, leg, probe.vector, condition, most);
  const found = await Promise.all(probe.legs.map(async (leg) => [leg, await search(leg)] as const));
  return Object.fromEntries(found);
};

/** The question's distinct terms. */
export const questionTerms = (text: string): string[] => [...new Set(lexicalTerms(text))];

const nearest = async (
  { reader, statistics }: OpenTable,
  leg: NamedVector,
  vector: Float32Array,
  condition: string,
  most: number,
): Promise<Scored[]> => {
  const { least, all } = probesFor(statistics.total);
  const query = reader.query().nearestTo(vector).column(leg).distanceType('cosine').where(condition);
  const found = await scored(query.maximumNprobes(all).minimumNprobes(least).select(['id', '_distance']).limit(most));
  return found.map(({ id, raw }) => ({ id, score: 1 - raw })).sort(byScore);
};

/** The index finds, the statistics score: an index's own scores are off while rows wait for it. */
const lexical = async (
  { reader, statistics }: OpenTable,
  terms: readonly string[],
  condition: string,
  most: number,
  indexed: boolean,
): Promise<Scored[]> => {
  if (terms.length === 0) return [];
  const hashes = terms.map(termHash);
  const all = reader.query().where(condition).select(['id', 'terms']);
  const match = new MatchQuery(terms.join(' '), 'lexical', { operator: Operator.Or });
  const query = indexed
    ? all
        .fullTextSearch(match)
        .select(['id', 'terms', '_score'])
        .limit(most * OVERFETCH)
    : all;
  const found: Scored[] = [];
  for await (const batch of query) {
    const { rows, strings, terms } = rowReader(batch);
    const [id, of] = [strings('id'), terms('terms')];
    for (let row = 0; row < rows; row++) {
      const score = statistics.bm25(hashes, of(row));
      if (score > 0) found.push({ id: id(row), score });
    }
  }
  return found.sort(byScore).slice(0, most);
};

const OVERFETCH = 2; // what the index ranks a little too low is still found

const byScore = (a: Scored, b: Scored): number => b.score - a.score || (a.id < b.id ? -1 : 1);

const scored = async (query: ReturnType<Table['vectorSearch']>): Promise<{ id: string; raw: number }[]> => {
  const found: { id: string; raw: number }[] = [];
  for await (const batch of query) {
    const { rows, strings, numbers } = rowReader(batch);
    const [id, raw] = [strings('id'), numbers('_distance')];
    for (let row = 0; row < rows; row++) found.push({ id: id(row), raw: raw(row) });
  }
  return found;
};
