import type { TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { notesOf, pageOfEntities, type Page } from '../rows/entity-graph.js';
import { pageOfRelations } from '../rows/entity-neighbours.js';
import type { EnrichmentTables } from '../rows/tables.js';
import type { MemoryLine } from './exchange.js';

/** All entities, then all relations: the cursor says which of them, and from where. */
const RELATIONS = 'relations ';

/** The graph as lines of the MCP memory server: what was found and what was given, but not what merely stands together. */
export const exportEntities =
  (db: Database<EnrichmentTables>) =>
  (tenant: TenantId, { first, after = '' }: { first: number; after?: string }): Promise<Page<MemoryLine>> =>
    db.asTenant(tenant, async (tx): Promise<Page<MemoryLine>> => {
      if (after.startsWith(RELATIONS)) {
        const page = await pageOfRelations(tx, { first, after: after.slice(RELATIONS.length) });
        const items = page.items.map(({ cursor, node }) => ({
          cursor: RELATIONS + cursor,
          node: { type: 'relation' as const, from: node.source, to: node.target, relationType: node.type },
        }));
        return { ...page, items };
      }
      const page = await pageOfEntities(tx, { first, after });
      const notes = await notesOf(
        tx,
        page.items.map(({ node }) => node.id),
      );
      const items = page.items.map(({ cursor, node }, at) => ({
        cursor: page.hasNext || at < page.items.length - 1 ? cursor : RELATIONS,
        node: {
          type: 'entity' as const,
          name: node.type === 'date' ? node.key : node.name,
          entityType: node.givenType ?? node.type,
          observations: notes.get(node.id) ?? [],
        },
      }));
      return { ...page, items, hasNext: items.length > 0 }; // relations come after the last of them
    });
