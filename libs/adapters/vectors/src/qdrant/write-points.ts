import { CodedError, FACET_VECTORS, type NamedVector, NAMED_VECTORS, type TenantId } from '@postmaster/contracts';
import type { PointPatch } from '@postmaster/embedding';
import type { Schemas } from '@qdrant/js-client-rest';
import { setTimeout } from 'node:timers/promises';
import { facetVectorsOf, patched, type StoredPoint, termsOf } from '../stored-point.js';
import { pointId } from './point-id.js';
import { type PointRecord, pointRecord, pointStruct, vectorsIn } from './point-record.js';
import type { QdrantCall } from './qdrant-calls.js';
import { operationBatches } from './operation-batches.js';

export interface PointWriter {
  call: QdrantCall;
  /** A new UUID at every call. */
  newWrite: () => string;
  /** With several copies of a shard, conditional writes have to reach all of them in one order. */
  ordering: 'weak' | 'strong';
}

interface Stored {
  point: StoredPoint;
  write: string;
  questions: PointRecord['questions'];
}

const MOST_ROUNDS = 50;

/**
 * Brings points up to their patches, whoever else writes them. An upsert replaces the whole point, so it is read,
 * patched and written on the condition that nobody wrote it meanwhile: every write leaves a UUID, the next one names
 * the UUID it read, and what did not get through is read and patched again. A point that is gone by the end was removed
 * by somebody after this, and stays gone.
 */
export const writePoints = async (
  writer: PointWriter,
  collection: string,
  tenant: TenantId,
  patches: readonly PointPatch[],
): Promise<void> => {
  const waiting = new Map<string, PointPatch[]>();
  for (const patch of patches) waiting.set(patch.id, [...(waiting.get(patch.id) ?? []), patch]);
  const whole = new Set(
    patches.filter(({ vectors }) => vectors && Object.keys(vectors).length > 0).map(({ id }) => id),
  );
  for (let round = 0; waiting.size > 0; round++) {
    if (round === MOST_ROUNDS)
      throw new CodedError('CONFLICT', `${waiting.size} points kept changing while they were written.`);
    if (round > 1) await setTimeout(Math.random() * 10 * round); // who collided once shouldn't again
    await writeOnce(writer, collection, tenant, waiting, whole);
  }
};

/** Takes out of `waiting` what got through; adds to `whole` what has to be written with its vectors. */
const writeOnce = async (
  { call, newWrite, ordering }: PointWriter,
  collection: string,
  tenant: TenantId,
  waiting: Map<string, PointPatch[]>,
  whole: Set<string>,
): Promise<void> => {
  const stored = await readStored(call, collection, tenant, waiting, whole);
  const writes = new Map<string, string>();
  const changes: Change[] = [];
  for (const [id, patches] of waiting) {
    const before = stored.get(id);
    const point = patches.reduce<StoredPoint | undefined>(patched, before?.point);
    if (!point) continue;
    if (before && !whole.has(id) && !sameTerms(before.point, point)) {
      whole.add(id);
      continue;
    }
    const write = newWrite();
    writes.set(id, write);
    if (!before) changes.push({ insert: pointStruct(tenant, point, write) });
    else if (whole.has(id)) changes.push({ update: pointStruct(tenant, point, write), read: before.write });
    else changes.push({ relabel: pointRecord(tenant, point, write, before.questions), read: before.write });
  }
  for (const operations of operationBatches(tenant, changes))
    await call((client) => client.batchUpdate(collection, { operations, ordering, wait: true }));
  const present = await readWrites(call, collection, tenant, [...writes.keys()]);
  for (const [id, write] of writes) {
    const now = present.get(id);
    if (now === undefined || now === write) waiting.delete(id);
  }
};

export type Change =
  | { insert: Schemas['PointStruct'] }
  | { update: Schemas['PointStruct']; read: string }
  | { relabel: PointRecord; read: string };

/** Words of no vector change often: a version becomes active, a page number moves. */
const sameTerms = (before: StoredPoint, after: StoredPoint): boolean =>
  before.payload.text === after.payload.text &&
  before.payload.bag === after.payload.bag &&
  termsOf(before.payload).join(' ') === termsOf(after.payload).join(' ');

const readStored = async (
  call: QdrantCall,
  collection: string,
  tenant: TenantId,
  waiting: ReadonlyMap<string, readonly PointPatch[]>,
  whole: ReadonlySet<string>,
): Promise<Map<string, Stored>> => {
  const ids = [...waiting.keys()];
  const replaced = (name: NamedVector, id: string) =>
    waiting.get(id)?.some(({ vectors }) => vectors?.[name] !== undefined);
  const stored = new Map<string, Stored>();
  const read = async (some: readonly string[], names: NamedVector[]): Promise<void> => {
    const records = await readRecords(call, collection, tenant, some, {
      with_payload: true,
      with_vector: names.length > 0 && names,
    });
    for (const { record, vector } of records)
      stored.set(record.id, {
        point: storedPoint(record, vector),
        write: record.write,
        questions: record.questions,
      });
  };
  const withVectors = ids.filter((id) => whole.has(id));
  const needed = NAMED_VECTORS.filter((name) => withVectors.some((id) => !replaced(name, id)));
  await Promise.all([
    read(withVectors, needed),
    read(
      ids.filter((id) => !whole.has(id)),
      [],
    ),
  ]);
  return stored;
};

/** Records are written by this library alone. */
const storedPoint = ({ id, revision, point, made_of: madeOf }: PointRecord, vector: unknown): StoredPoint => ({
  ...{ id, revision, madeOf, vectors: vectorsIn(vector) },
  payload: JSON.parse(point) as StoredPoint['payload'],
});

/** The vectors of the facets of these points, by text, of those where they are known. */
export const readFacetVectors = async (
  call: QdrantCall,
  collection: string,
  tenant: TenantId,
  ids: readonly string[],
): Promise<Map<string, Map<string, Float32Array>>> => {
  const what = { with_payload: true, with_vector: [...FACET_VECTORS] };
  const records = await readRecords(call, collection, tenant, ids, what);
  return new Map(records.map(({ record, vector }) => [record.id, facetVectorsOf(storedPoint(record, vector))]));
};

const readWrites = async (
  call: QdrantCall,
  collection: string,
  tenant: TenantId,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  const records = await readRecords(call, collection, tenant, ids, { with_payload: ['tenant', 'id', 'write'] });
  return new Map(records.map(({ record }) => [record.id, record.write]));
};

/** Of these paragraphs, the tenant's points that are there. */
const readRecords = async (
  call: QdrantCall,
  collection: string,
  tenant: TenantId,
  paragraphs: readonly string[],
  what: Pick<Schemas['PointRequest'], 'with_payload' | 'with_vector'>,
): Promise<{ record: PointRecord; vector: unknown }[]> => {
  if (paragraphs.length === 0) return [];
  const ids = paragraphs.map((id) => pointId(tenant, id));
  const points = await call((client) => client.retrieve(collection, { ids, ...what }));
  return points
    .map(({ payload, vector }) => ({ record: payload as unknown as PointRecord, vector })) // as above
    .filter(({ record }) => record.tenant === tenant);
};
