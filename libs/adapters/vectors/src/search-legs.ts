import { MatchQuery, Operator, type Table } from '@lancedb/lancedb';
import type { Leg, NamedVector, PointPayload } from '@postmaster/contracts';
import type { Probe, Scored } from '@postmaster/retrieval';
import type { FreshPoints } from './fresh-points.js';
import { type QuestionTerm, questionTerms } from './lexical-terms.js';
import type { OpenTable } from './open-table.js';
import { passesFilter } from './passes-filter.js';
import { pointCondition } from './point-condition.js';
import { rowReader } from './row-reader.js';
import { best, lexicalFresh, nearestFresh } from './search-fresh.js';
import { probesFor } from './table-indexes.js';

/**
 * Each leg's best points, all legs at once: the best of the table's, without those that changed since, and of these. The
 * changed ones are looked at when the table has answered, so that none falls between the two.
 */
export const searchLegs = async (
  table: OpenTable,
  probe: Probe,
  most: number,
): Promise<Partial<Record<Leg, Scored[]>>> => {
  const asked: Asked = { ...table, condition: pointCondition(probe.filter), most };
  const { fresh, statistics } = asked;
  const passes = remembering(passesFilter(probe.filter));
  const terms = questionTerms(probe.text);
  const search = async (leg: Leg): Promise<Scored[]> => {
    const old = leg === 'lexical' ? await lexical(asked, terms) : await nearest(asked, leg, probe.vector);
    const changed =
      leg === 'lexical'
        ? lexicalFresh(fresh, statistics.bm25(terms), passes, most)
        : nearestFresh(fresh, leg, probe.vector, passes, most);
    return best([...old.filter(({ id }) => !fresh.has(id)), ...changed], most);
  };
  const found = await Promise.all(probe.legs.map(async (leg) => [leg, await search(leg)] as const));
  return Object.fromEntries(found);
};

/** Every leg asks the same of the same points. */
const remembering = (passes: (payload: PointPayload) => boolean): ((payload: PointPayload) => boolean) => {
  const known = new Map<PointPayload, boolean>();
  return (payload) => {
    const answer = known.get(payload) ?? passes(payload);
    known.set(payload, answer);
    return answer;
  };
};

/** The table as it was when the search began, and what is asked of it. */
interface Asked extends OpenTable {
  condition: string;
  most: number;
}

const nearest = ({ reader, fresh, statistics, condition, most }: Asked, leg: NamedVector, vector: Float32Array) => {
  const { least, all } = probesFor(statistics.total);
  return unchanged(fresh, most, async (limit) => {
    const query = reader.query().nearestTo(vector).column(leg).distanceType('cosine').where(condition);
    return scored(query.maximumNprobes(all).minimumNprobes(least).select(['id', '_distance']).limit(limit));
  });
};

/** The index finds, the statistics score: an index's own scores are off while rows wait for it. */
const lexical = async (
  { reader, read, fresh, statistics, condition, most }: Asked,
  terms: readonly QuestionTerm[],
): Promise<Scored[]> => {
  if (terms.length === 0) return [];
  const match = new MatchQuery(terms.map(({ term }) => term).join(' '), 'lexical', { operator: Operator.Or });
  const scoredBy = async (query: AsyncIterable<Parameters<typeof rowReader>[0]>): Promise<Scored[]> => {
    const bm25 = statistics.bm25(terms);
    const found: Scored[] = [];
    for await (const batch of query) {
      const { rows, strings, terms } = rowReader(batch);
      const [id, of] = [strings('id'), terms('terms')];
      for (let row = 0; row < rows; row++) found.push({ id: id(row), score: bm25(of(row)) });
    }
    return found;
  };
  const all = reader.query().where(condition).select(['id', 'terms']);
  if (!read.lexical)
    return best(
      (await scoredBy(all)).filter(({ id, score }) => score > 0 && !fresh.has(id)),
      most,
    );
  return unchanged(fresh, most * OVERFETCH, (limit) =>
    scoredBy(all.fullTextSearch(match).select(['id', 'terms', '_score']).limit(limit)),
  );
};

const OVERFETCH = 2; // what the index ranks a little too low is still found

/** Asks for more until `most` of what comes has not changed since, or there is no more. */
const unchanged = async (
  fresh: FreshPoints,
  most: number,
  ask: (limit: number) => Promise<Scored[]>,
): Promise<Scored[]> => {
  for (let limit = most + Math.min(fresh.size, most); ; limit *= 4) {
    const found = await ask(limit);
    const kept = found.filter(({ id }) => !fresh.has(id));
    if (kept.length >= most || found.length < limit) return best(kept, most);
  }
};

const scored = async (query: ReturnType<Table['vectorSearch']>): Promise<Scored[]> => {
  const found: Scored[] = [];
  for await (const batch of query) {
    const { rows, strings, numbers } = rowReader(batch);
    const [id, distance] = [strings('id'), numbers('_distance')];
    for (let row = 0; row < rows; row++) found.push({ id: id(row), score: 1 - distance(row) });
  }
  return found;
};
