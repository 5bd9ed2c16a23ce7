import { MatchQuery, Operator, type Table } from '@lancedb/lancedb';
import { kindOf, type Leg, type NamedVector, type PointPayload } from '@postmaster/contracts';
import type { Probe, Scored } from '@postmaster/retrieval';
import { type QuestionTerm, questionTerms } from './lexical-terms.js';
import type { OpenTable } from './open-table.js';
import { passesFilter } from './passes-filter.js';
import { kindCondition, pointCondition } from './point-condition.js';
import { rowReader } from './row-reader.js';
import { best, lexicalFresh, nearestFresh } from './search-fresh.js';
import { ALL_PARTITIONS, probesFor, ROWS_A_PARTITION } from './table-indexes.js';
import { ROW_NUMBER, type TableRows } from './table-rows.js';

/**
 * Each leg's best points, all legs at once: the best of the table's, without those that changed since, and of these. The
 * changed ones are looked at when the table has answered, so that none falls between the two.
 */
export const searchLegs = async (
  table: OpenTable,
  probe: Probe,
  most: number,
  rowsAPartition: number = ROWS_A_PARTITION,
): Promise<Partial<Record<Leg, Scored[]>>> => {
  const { reader, fresh, read, statistics } = table;
  const { kind = 'paragraph' } = probe;
  const passed = pointCondition(probe.filter);
  const condition = kind === 'paragraph' ? passed : `${passed} AND ${kindCondition(kind)}`;
  const unfiltered = passed === pointCondition();
  const open = unfiltered && kind === 'paragraph' && read.lexical ? read.inactive : undefined;
  const rows = statistics.total;
  const inTable = kind === 'paragraph' || read.summaries.size > 0;
  const inParts = probesFor(rows, rows, rowsAPartition) < ALL_PARTITIONS;
  const passing =
    open || !inTable || !inParts
      ? rows
      : kind === 'summary' && unfiltered
        ? read.summaries.size
        : await reader.countRows(condition);
  // A condition on the kind would cost each leg a look at all rows, too.
  const others = kind === 'paragraph' ? read.summaries : NONE;
  const asked: Asked = {
    ...{ ...table, reader, read, most, probes: probesFor(rows, passing, rowsAPartition) },
    condition: open ? undefined : condition,
    stale: (id) => fresh.has(id) || (open?.has(id) ?? false) || others.has(id),
    staleRows: fresh.size + (open?.size ?? 0) + others.size,
  };
  const filtered = passesFilter(probe.filter);
  const passes = remembering((payload) => kindOf(payload) === kind && filtered(payload));
  const terms = questionTerms(probe.text);
  const search = async (leg: Leg): Promise<Scored[]> => {
    const old = !inTable
      ? []
      : leg === 'lexical'
        ? await lexical(asked, terms)
        : await nearest(asked, leg, probe.vector);
    const changed =
      leg === 'lexical'
        ? lexicalFresh(fresh, statistics.bm25(terms), passes, most)
        : nearestFresh(fresh, leg, probe.vector, passes, most);
    return best([...old.filter(({ id }) => !asked.stale(id)), ...changed], most);
  };
  const found = await Promise.all(probe.legs.map(async (leg) => [leg, await search(leg)] as const));
  return Object.fromEntries(found);
};

const NONE: ReadonlySet<string> = new Set();

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
  /** Absent where the few rows that aren't active are passed over instead: a condition costs each leg a look at all rows. */
  condition: string | undefined;
  /** Whether a row of this id is passed over, and how many there are at most. */
  stale: (id: string) => boolean;
  staleRows: number;
  most: number;
  /** How many partitions of the vector indexes are looked at. */
  probes: number;
}

const nearest = (asked: Asked, leg: NamedVector, vector: Float32Array) =>
  unchanged(asked, asked.most, async (limit) => {
    const near = (probes: number): Promise<Scored[]> => {
      const query = asked.reader.query().nearestTo(vector).column(leg).distanceType('cosine').nprobes(probes);
      return scored(narrowedTo(query, asked.condition).select(['_distance']).withRowId().limit(limit), asked.read.rows);
    };
    const found = await near(asked.probes);
    return found.length < limit && asked.probes < ALL_PARTITIONS ? near(ALL_PARTITIONS) : found;
  });

const narrowedTo = <Q extends { where(condition: string): Q }>(query: Q, condition: string | undefined): Q =>
  condition === undefined ? query : query.where(condition);

/** The index finds, the statistics score: an index's own scores are off while rows wait for it. */
const lexical = async (asked: Asked, terms: readonly QuestionTerm[]): Promise<Scored[]> => {
  const { reader, read, stale, statistics, condition, most } = asked;
  if (terms.length === 0) return [];
  const match = new MatchQuery(terms.map(({ term }) => term).join(' '), 'lexical', { operator: Operator.Or });
  const scoredBy = async (query: AsyncIterable<Parameters<typeof rowReader>[0]>): Promise<Scored[]> => {
    const bm25 = statistics.bm25(terms);
    const found: Scored[] = [];
    for await (const batch of query) {
      const { rows, numbers, terms } = rowReader(batch);
      const [number, of] = [numbers(ROW_NUMBER), terms('terms')];
      for (let row = 0; row < rows; row++) found.push({ id: read.rows.idOf(number(row)), score: bm25(of(row)) });
    }
    return found;
  };
  const all = narrowedTo(reader.query(), condition).select(['terms']).withRowId();
  if (!read.lexical)
    return best(
      (await scoredBy(all)).filter(({ id, score }) => score > 0 && !stale(id)),
      most,
    );
  return unchanged(asked, most * OVERFETCH, (limit) =>
    scoredBy(all.fullTextSearch(match).select(['terms', '_score']).limit(limit)),
  );
};

const OVERFETCH = 2; // what the index ranks a little too low is still found

/** Asks for more until `most` of what comes counts, or there is no more. */
const unchanged = async (
  { stale, staleRows }: Asked,
  most: number,
  ask: (limit: number) => Promise<Scored[]>,
): Promise<Scored[]> => {
  for (let limit = most + Math.min(staleRows, most); ; limit *= 4) {
    const found = await ask(limit);
    const kept = found.filter(({ id }) => !stale(id));
    if (kept.length >= most || found.length < limit) return best(kept, most);
  }
};

const scored = async (query: ReturnType<Table['vectorSearch']>, numbered: TableRows): Promise<Scored[]> => {
  const found: Scored[] = [];
  for await (const batch of query) {
    const { rows, numbers } = rowReader(batch);
    const [number, distance] = [numbers(ROW_NUMBER), numbers('_distance')];
    for (let row = 0; row < rows; row++) found.push({ id: numbered.idOf(number(row)), score: 1 - distance(row) });
  }
  return found;
};
