import type { TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import * as graph from '../rows/entity-graph.js';
import { neighboursOf } from '../rows/entity-neighbours.js';
import type { EnrichmentTables } from '../rows/tables.js';
import type { EntityType } from './entity.js';
import { nameKey } from './name-key.js';

/** The graph of what a tenant's documents name, as it is now. Reads are by many ids at once where they can be. */
export const readEntities = (db: Database<EnrichmentTables>) => ({
  byId: (tenant: TenantId, ids: readonly string[]) => db.asTenant(tenant, (tx) => graph.entitiesById(tx, ids)),
  page: (tenant: TenantId, asked: graph.PageAsked & { search?: string; types?: readonly EntityType[] }) =>
    db.asTenant(tenant, (tx) => graph.pageOfEntities(tx, { ...asked, search: asked.search && nameKey(asked.search) })),
  inDocument: (tenant: TenantId, document: string, asked: graph.PageAsked) =>
    db.asTenant(tenant, async (tx) => (await graph.entitiesIn(tx, 'document', [document], asked)).get(document)!), // each that is asked for has a page
  ofParagraphs: (tenant: TenantId, paragraphs: readonly string[], most: number): Promise<graph.Entity[][]> =>
    db.asTenant(tenant, async (tx) => {
      const pages = await graph.entitiesIn(tx, 'paragraph', paragraphs, { first: most });
      return paragraphs.map((id) => pages.get(id)?.items.map(({ node }) => node) ?? []);
    }),
  aliases: (tenant: TenantId, ids: readonly string[]): Promise<graph.EntityAlias[][]> =>
    db.asTenant(tenant, async (tx) => inOrder(ids, await graph.aliasesOf(tx, ids))),
  notes: (tenant: TenantId, ids: readonly string[]): Promise<string[][]> =>
    db.asTenant(tenant, async (tx) => inOrder(ids, await graph.notesOf(tx, ids))),
  paragraphs: (tenant: TenantId, entities: readonly string[], asked: graph.PageAsked) =>
    db.asTenant(tenant, (tx) => graph.paragraphsNaming(tx, entities, asked)),
  neighbours: (tenant: TenantId, id: string, asked: graph.PageAsked) =>
    db.asTenant(tenant, (tx) => neighboursOf(tx, id, asked)),
});

const inOrder = <T>(ids: readonly string[], found: ReadonlyMap<string, T[]>): T[][] =>
  ids.map((id) => found.get(id) ?? []);
