import { type PlaceLeft, SUMMARY_POSITION, type TenantId } from '@postmaster/contracts';
import { type Database, deliveryLeft } from '@postmaster/durable';
import { sql } from 'kysely';
import type { PointStore } from './point-store.js';
import type { EmbeddingTables } from './rows/tables.js';

/** What the rows and the indexes have of these documents, retired indexes too. */
export const documentsLeft =
  ({ db, store }: { db: Database<EmbeddingTables>; store: Pick<PointStore, 'count'> }) =>
  async (tenant: TenantId, documents: readonly string[]): Promise<PlaceLeft[]> => {
    const { rows, indexes, delivery } = await db.evenClosed(tenant, async (tx) => ({
      rows: await sql<{ paragraphs: number; summaries: number; metadata: number; tombstones: number; living: number }>`
        select (select count(*)::int from paragraphs
            where document = any(${[...documents]}) and position <> ${SUMMARY_POSITION}) as paragraphs,
          (select count(*)::int from paragraphs
            where document = any(${[...documents]}) and position = ${SUMMARY_POSITION}) as summaries,
          (select count(*)::int from metadata where document = any(${[...documents]})) as metadata,
          (count(*) filter (where buried is not null))::int as tombstones,
          (count(*) filter (where buried is null))::int as living
        from documents where id = any(${[...documents]})`.execute(tx),
      indexes: await tx.selectFrom('indexes').select(['name', 'encoder', 'dimension']).execute(),
      delivery: await deliveryLeft(tx, documents),
    }));
    let points = 0;
    for (const index of indexes) points += await store.count(tenant, index, documents);
    const { paragraphs = 0, summaries = 0, metadata = 0, tombstones = 0, living = 0 } = rows.rows[0] ?? {};
    const tombs = { count: tombstones, why: 'A tombstone: its id and version.', until: null };
    return [
      { place: 'paragraphs', left: paragraphs, kept: null },
      { place: 'summaries', left: summaries, kept: null },
      { place: 'metadata', left: metadata, kept: null },
      { place: 'documents', left: living, kept: tombstones > 0 ? tombs : null },
      { place: 'vectors', left: points, kept: null },
      ...delivery,
    ];
  };
