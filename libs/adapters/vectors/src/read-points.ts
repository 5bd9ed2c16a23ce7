import type { Table } from '@lancedb/lancedb';
import { documentCondition, idCondition } from './point-condition.js';
import type { OpenTable } from './open-table.js';
import { rowReader, type RowReader } from './row-reader.js';
import { ALL_VECTORS, byName } from './row-vectors.js';
import { type CountedPoint, facetVectorsOf, NO_VECTORS, type StoredPayload, type StoredPoint } from './stored-point.js';

const IDS_A_QUERY = 500;

/** The points of these ids that are there; without vectors unless they are wanted. */
export const readPoints = async (
  table: Table,
  ids: readonly string[],
  { vectors }: { vectors: boolean },
): Promise<Map<string, CountedPoint>> => {
  const found = new Map<string, CountedPoint>();
  for (const some of portions(ids, IDS_A_QUERY)) {
    const query = table.query().where(idCondition(some));
    for await (const batch of query.select(['id', 'revision', 'payload', 'terms', ...(vectors ? [ALL_VECTORS] : [])])) {
      const reader = rowReader(batch);
      const point = pointAt(reader, vectors);
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
    ...(await readPoints(reader, stale, { vectors: true })).values(),
  ];
  // copies: what was read may be a view of far more
  const copied = (point: StoredPoint) =>
    Array.from(facetVectorsOf(point), ([text, vector]) => [text, vector.slice()] as const);
  return new Map(points.map((point) => [point.id, new Map(copied(point))]));
};

export const portions = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

const pointAt = (reader: RowReader, withVectors: boolean): ((row: number) => CountedPoint) => {
  const [id, revision, payload] = [reader.strings('id'), reader.numbers('revision'), reader.strings('payload')];
  const terms = reader.terms('terms');
  const piece = withVectors ? reader.vectorLists(ALL_VECTORS) : undefined;
  return (row) => ({
    id: id(row),
    revision: revision(row),
    ...rowPayload(payload(row)),
    terms: terms(row),
    vectors: piece ? byName(piece(row)) : NO_VECTORS,
  });
};
