import type { TenantId } from '@postmaster/contracts';
import type { Schemas } from '@qdrant/js-client-rest';
import { ofTenant } from './point-filter.js';
import { pointId } from './point-id.js';
import type { Change } from './write-points.js';

/** Well under the 32 MB that the server takes at once. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Changes as the operations of as few calls as their size allows. */
export const operationBatches = (tenant: TenantId, changes: readonly Change[]): Schemas['UpdateOperation'][][] => {
  const batches: Change[][] = [];
  let room = 0;
  for (const change of changes) {
    const bytes = sizeOf(change);
    if (batches.length === 0 || bytes > room) {
      batches.push([]);
      room = MOST_BYTES;
    }
    batches.at(-1)?.push(change);
    room -= bytes;
  }
  return batches.map((batch) => operations(tenant, batch));
};

/** Each on the condition that its point is as it was read: still none, or last written by the write that was read. */
const operations = (tenant: TenantId, changes: readonly Change[]): Schemas['UpdateOperation'][] => {
  const inserts = changes.flatMap((change) => ('insert' in change ? [change.insert] : []));
  const updates = changes.flatMap((change) => ('update' in change ? [change] : []));
  const relabels = changes.flatMap((change) => ('relabel' in change ? [change] : []));
  const ours = ofTenant(tenant).must;
  return [
    ...(inserts.length > 0 ? [{ upsert: { points: inserts, update_mode: 'insert_only' as const } }] : []),
    ...(updates.length > 0
      ? [
          {
            upsert: {
              points: updates.map(({ update }) => update),
              update_mode: 'update_only' as const,
              // a write's UUID is on one point only, so that all of them can be named at once
              update_filter: { must: [...ours, { key: 'write', match: { any: updates.map(({ read }) => read) } }] },
            },
          },
        ]
      : []),
    ...relabels.map(({ relabel, read }) => ({
      overwrite_payload: {
        payload: { ...relabel },
        filter: {
          must: [...ofTenant(tenant, [pointId(tenant, relabel.id)]).must, { key: 'write', match: { value: read } }],
        },
      },
    })),
  ];
};

const BYTES_A_NUMBER = 12;

/** About as many bytes as it has as JSON. */
const sizeOf = (change: Change): number => {
  if ('relabel' in change) return recordSize(change.relabel);
  const { vector, payload } = 'insert' in change ? change.insert : change.update;
  let numbers = 0;
  for (const one of Object.values(vector as Record<string, unknown>))
    numbers += Array.isArray(one) ? one.flat().length : 2 * (one as Schemas['SparseVector']).indices.length; // lexical
  return numbers * BYTES_A_NUMBER + recordSize(payload ?? {});
};

const recordSize = (record: object): number => 2 * JSON.stringify(record).length; // a letter may be several bytes
