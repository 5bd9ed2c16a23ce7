import type { Table } from '@lancedb/lancedb';
import { MULTI_VECTORS, type NamedVector, NAMED_VECTORS, type PointPayload } from '@postmaster/contracts';
import { idCondition } from './point-condition.js';
import { rowReader, type RowReader } from './row-reader.js';
import type { StoredPoint } from './stored-point.js';

const IDS_A_QUERY = 500;

/** A stored point with the terms that were counted for it. */
export type CountedPoint = StoredPoint & { terms: Uint32Array };

/** The points of these ids that are there, whole. */
export const readPoints = async (table: Table, ids: readonly string[]): Promise<Map<string, CountedPoint>> => {
  const found = new Map<string, CountedPoint>();
  for (const some of portions(ids, IDS_A_QUERY)) {
    const query = table.query().where(idCondition(some));
    for await (const batch of query.select(['id', 'revision', 'payload', 'terms', ...NAMED_VECTORS])) {
      const reader = rowReader(batch);
      const point = pointAt(reader);
      for (let row = 0; row < reader.rows; row++) {
        const stored = point(row);
        found.set(stored.id, stored);
      }
    }
  }
  return found;
};

/** The revisions of these points, or of all. */
export const readRevisions = async (table: Table, ids?: readonly string[]): Promise<Map<string, number>> => {
  const found = new Map<string, number>();
  for (const condition of ids ? portions(ids, IDS_A_QUERY).map(idCondition) : ['true'])
    for await (const batch of table.query().where(condition).select(['id', 'revision'])) {
      const { rows, strings, numbers } = rowReader(batch);
      const [id, revision] = [strings('id'), numbers('revision')];
      for (let row = 0; row < rows; row++) found.set(id(row), revision(row));
    }
  return found;
};

/** The vectors of a name, row by row. */
export const vectorsOf = (reader: RowReader, name: NamedVector): ((row: number) => Float32Array[]) =>
  MULTI_VECTORS.some((multi) => multi === name) ? reader.multiVectors(name) : reader.vectors(name);

/** The payload as it was given; rows are written by this library alone. */
export const payloadOf = (json: string): PointPayload => JSON.parse(json) as PointPayload;

export const portions = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

const pointAt = (reader: RowReader): ((row: number) => CountedPoint) => {
  const [id, revision, payload] = [reader.strings('id'), reader.numbers('revision'), reader.strings('payload')];
  const terms = reader.terms('terms');
  const paragraph = reader.vectors('paragraph');
  const simple = reader.multiVectors('simple_questions');
  const complex = reader.multiVectors('complex_questions');
  const [context, scope] = [reader.vectors('context'), reader.vectors('scope')];
  return (row) => ({
    id: id(row),
    revision: revision(row),
    payload: payloadOf(payload(row)),
    terms: terms(row),
    vectors: {
      paragraph: paragraph(row),
      simple_questions: simple(row),
      complex_questions: complex(row),
      context: context(row),
      scope: scope(row),
    },
  });
};
