import type { Table } from '@lancedb/lancedb';
import { FACET_VECTORS, MULTI_VECTORS, type NamedVector } from '@postmaster/contracts';
import { documentCondition, idCondition } from './point-condition.js';
import type { OpenTable } from './open-table.js';
import { rowReader, type RowReader } from './row-reader.js';
import { type CountedPoint, facetVectorsOf, NO_VECTORS, type StoredPayload, type StoredPoint } from './stored-point.js';

const IDS_A_QUERY = 500;

/** The points of these ids that are there, with their vectors of these names. */
export const readPoints = async (
  table: Table,
  ids: readonly string[],
  names: readonly NamedVector[],
): Promise<Map<string, CountedPoint>> => {
  const found = new Map<string, CountedPoint>();
  for (const some of portions(ids, IDS_A_QUERY)) {
    const query = table.query().where(idCondition(some));
    for await (const batch of query.select(['id', 'revision', 'payload', 'terms', ...names])) {
      const reader = rowReader(batch);
      const point = pointAt(reader, names);
      for (let row = 0; row < reader.rows; row++) {
        const stored = point(row);
        found.set(stored.id, stored);
      }
    }
  }
  return found;
};

/** The revisions of these points, or of all. */
export const readRevisions = async (
  { reader, fresh }: Pick<OpenTable, 'reader' | 'fresh'>,
  ids?: readonly string[],
): Promise<Map<string, number>> => {
  const found = new Map<string, number>();
  const stale = ids?.filter((id) => !fresh.has(id));
  for (const condition of stale ? portions(stale, IDS_A_QUERY).map(idCondition) : ['true'])
    for await (const batch of reader.query().where(condition).select(['id', 'revision'])) {
      const { rows, strings, numbers } = rowReader(batch);
      const [id, revision] = [strings('id'), numbers('revision')];
      for (let row = 0; row < rows; row++) found.set(id(row), revision(row));
    }
  for (const id of fresh.removed()) found.delete(id);
  const wanted = ids && new Set(ids);
  for (const { id, revision } of fresh.present()) if (!wanted || wanted.has(id)) found.set(id, revision);
  return found;
};

/** How many points there are, of these documents where they are given. */
export const countPoints = async (
  { reader, fresh }: Pick<OpenTable, 'reader' | 'fresh'>,
  documents?: readonly string[],
): Promise<number> => {
  let count = 0;
  const conditions = documents ? portions(documents, IDS_A_QUERY).map(documentCondition) : ['true'];
  for (const condition of conditions)
    for await (const batch of reader.query().where(condition).select(['id'])) {
      const { rows, strings } = rowReader(batch);
      const id = strings('id');
      for (let row = 0; row < rows; row++) if (!fresh.has(id(row))) count++;
    }
  const wanted = documents && new Set(documents);
  return count + fresh.present().filter(({ payload }) => wanted?.has(payload.document) ?? true).length;
};

/** The vectors of a name, row by row. */
export const vectorsOf = (reader: RowReader, name: NamedVector): ((row: number) => Float32Array[]) =>
  MULTI_VECTORS.some((multi) => multi === name) ? reader.multiVectors(name) : reader.vectors(name);

/** The payload as it was given. */
export const payloadOf = (json: string): StoredPayload => rowPayload(json).payload;

/** Rows are written by this library alone. */
const rowPayload = (json: string): Pick<StoredPoint, 'payload' | 'madeOf'> => {
  const { madeOf, ...payload } = JSON.parse(json) as StoredPayload & Pick<StoredPoint, 'madeOf'>;
  return { payload, madeOf };
};

/** The vectors of the facets of these points, by text, of those where they are known. */
export const readFacetVectors = async (
  { reader, fresh }: Pick<OpenTable, 'reader' | 'fresh'>,
  ids: readonly string[],
): Promise<Map<string, Map<string, Float32Array>>> => {
  const [here, stale] = [ids.filter((id) => fresh.has(id)), ids.filter((id) => !fresh.has(id))];
  const points = [
    ...here.flatMap((id) => fresh.get(id) ?? []),
    ...(await readPoints(reader, stale, FACET_VECTORS)).values(),
  ];
  // copies: what was read may be a view of far more
  const copied = (point: StoredPoint) =>
    Array.from(facetVectorsOf(point), ([text, vector]) => [text, vector.slice()] as const);
  return new Map(points.map((point) => [point.id, new Map(copied(point))]));
};

export const portions = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

const pointAt = (reader: RowReader, names: readonly NamedVector[]): ((row: number) => CountedPoint) => {
  const [id, revision, payload] = [reader.strings('id'), reader.numbers('revision'), reader.strings('payload')];
  const terms = reader.terms('terms');
  const vectors = names.map((name) => [name, vectorsOf(reader, name)] as const);
  return (row) => ({
    id: id(row),
    revision: revision(row),
    ...rowPayload(payload(row)),
    terms: terms(row),
    vectors: { ...NO_VECTORS, ...Object.fromEntries(vectors.map(([name, of]) => [name, of(row)])) },
  });
};
