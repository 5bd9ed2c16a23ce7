import type { PlaceLeft, TenantId } from '@postmaster/contracts';
import { type Database, deliveryLeft } from '@postmaster/durable';
import { sql } from 'kysely';
import type { BlobStore } from '../blob-store.js';
import type { IngestionTables } from './tables.js';

interface Counted {
  tombstones: number;
  living: number;
  paragraphs: number;
  attachments: number;
  attached: number;
}

interface Bytes {
  hash: string;
  /** A document that was not deleted has the same bytes, or is to have them. */
  shared: boolean;
  row: boolean;
  parsed: boolean;
}

/** What the rows and the bytes have of these documents, each of which was deleted. */
export const documentsLeft =
  ({ db, blobs }: { db: Database<IngestionTables>; blobs: Pick<BlobStore, 'has'> }) =>
  async (tenant: TenantId, documents: readonly string[]): Promise<PlaceLeft[]> => {
    const ids = sql`any(${[...documents]}::uuid[])`;
    const { counted, bytes, delivery } = await db.evenClosed(tenant, async (tx) => ({
      counted: await sql<Counted>`
        select (count(*) filter (where status = 'DELETED'))::int as tombstones,
          (count(*) filter (where status <> 'DELETED'))::int as living,
          (select count(*)::int from paragraphs where document = ${ids}) as paragraphs,
          (select count(*)::int from attachments where parent = ${ids})
            + (select count(*)::int from unpacked where parent = ${ids}) as attachments,
          (select count(*)::int from documents where parent = ${ids} and status <> 'DELETED') as attached
        from documents where id = ${ids}`.execute(tx),
      bytes: await sql<Bytes>`
        select h.hash, exists (select from blobs where hash = h.hash) as row,
          exists (select from parses where blob_hash = h.hash) as parsed,
          exists (select from documents where blob_hash = h.hash and status <> 'DELETED')
            or exists (select from documents where active_blob_hash = h.hash and status <> 'DELETED')
            or exists (select from attachments where hash = h.hash and not accepted)
            or exists (select from unpacked where hash = h.hash) as shared
        from (select distinct unnest(array[blob_hash, active_blob_hash]) as hash
              from documents where id = ${ids} and status = 'DELETED') h
        where h.hash is not null`.execute(tx),
      delivery: await deliveryLeft(tx, documents),
    }));
    const { tombstones = 0, living = 0, paragraphs = 0, attachments = 0, attached = 0 } = counted.rows[0] ?? {};
    const own = bytes.rows.filter(({ shared }) => !shared);
    const stored = await Promise.all(own.map(async ({ hash, row }) => row || (await blobs.has(tenant, hash))));
    const shared = { count: bytes.rows.length - own.length, why: 'Another document has the same bytes.', until: null };
    const tombs = {
      count: tombstones,
      why: 'A tombstone: its id, version and source, so that nothing late brings it back.',
      until: null,
    };
    return [
      { place: 'documents', left: living, kept: tombstones > 0 ? tombs : null },
      { place: 'paragraphs', left: paragraphs, kept: null },
      { place: 'attachments', left: attachments + attached, kept: null },
      { place: 'blobs', left: stored.filter(Boolean).length, kept: shared.count > 0 ? shared : null },
      { place: 'parsed text', left: own.filter(({ parsed }) => parsed).length, kept: null },
      ...delivery,
    ];
  };
