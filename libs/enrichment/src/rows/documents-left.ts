import type { PlaceLeft, TenantId } from '@postmaster/contracts';
import { type Database, deliveryLeft } from '@postmaster/durable';
import { sql } from 'kysely';
import type { EnrichmentTables } from './tables.js';

interface Counted {
  paragraphs: number;
  replies: number;
  metadata: number;
  summaries: number;
  rejections: number;
  entities: number;
  tombstones: number;
}

/** What the rows have of these documents. Replies are those that no paragraph uses, and names those that none has, of whichever document they were. */
export const documentsLeft =
  (db: Database<EnrichmentTables>) =>
  (tenant: TenantId, documents: readonly string[]): Promise<PlaceLeft[]> =>
    db.evenClosed(tenant, async (tx) => {
      const of = sql`document = any(${[...documents]})`;
      const { rows } = await sql<Counted>`
        select (select count(*)::int from paragraphs where ${of}) as paragraphs,
          (select count(*)::int from reply_uses u where not exists (select from paragraphs where id = u.paragraph)
            or exists (select from paragraphs where id = u.paragraph and ${of}))
          + (select count(*)::int from replies r
             where not exists (select from reply_uses where input_hash = r.input_hash)) as replies,
          (select count(*)::int from extracted where ${of}) + (select count(*)::int from corrections where ${of})
          + (select count(*)::int from metadata_replies where ${of}) as metadata,
          (select count(*)::int from summaries where ${of})
          + (select count(*)::int from summary_replies where ${of}) as summaries,
          (select count(*)::int from entity_mentions where ${of}) + (select count(*)::int from entity_merges where ${of})
          + (select count(*)::int from entity_relations where ${of}) + (select count(*)::int from entity_read where ${of})
          + (select count(*)::int from entity_replies where ${of})
          + (select count(*)::int from entity_names n where not given
             and not exists (select from entity_mentions m where m.graph = n.graph and m.key = n.key)) as entities,
          (select count(*)::int from rejections r
           where not exists (select from paragraphs where id = r.paragraph and not (${of}))) as rejections,
          (select count(*)::int from tombstones where ${of}) as tombstones`.execute(tx);
      const { paragraphs = 0, replies = 0, metadata = 0, summaries = 0 } = rows[0] ?? {};
      const { entities = 0, rejections = 0, tombstones = 0 } = rows[0] ?? {};
      const tombs = { count: tombstones, why: 'A tombstone: its id and version.', until: null };
      return [
        { place: 'paragraphs and facets', left: paragraphs, kept: null },
        { place: 'model replies', left: replies, kept: null },
        { place: 'metadata', left: metadata, kept: null },
        { place: 'summaries', left: summaries, kept: null },
        { place: 'entities and relations', left: entities, kept: null },
        { place: 'counts of rejected facets', left: rejections, kept: null },
        { place: 'tombstones', left: 0, kept: tombstones > 0 ? tombs : null },
        ...(await deliveryLeft(tx, documents)),
      ];
    });
