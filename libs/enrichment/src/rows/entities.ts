import type { TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import {
  eraseMentions,
  type FoundInParagraph,
  holdGraph,
  OWN_GRAPH,
  stillThere,
  storeMentions,
} from './entity-mentions.js';
import { dropUnnamed, mergeNames } from './entity-merges.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;

/**
 * Stores what was found in paragraphs of the tenant's documents, those that are still there, in place of what was found
 * in them before. Safe to repeat.
 */
export const storeEntities = async (tx: Tx, tenant: TenantId, found: readonly FoundInParagraph[]): Promise<void> => {
  const there = await stillThere(
    tx,
    found.map(({ paragraph }) => paragraph),
  );
  const kept = found.filter(({ paragraph }) => there.has(paragraph));
  if (kept.length === 0) return;
  await storeInGraph(tx, tenant, OWN_GRAPH, kept);
};

/** The same of a graph of any paragraphs. */
export const storeInGraph = async (
  tx: Tx,
  tenant: TenantId,
  graph: string,
  found: readonly FoundInParagraph[],
): Promise<void> => {
  await holdGraph(tx, tenant, graph);
  const before = graph === OWN_GRAPH ? await eraseMentions(tx, graph, await readBefore(tx, found)) : [];
  await storeMentions(tx, tenant, graph, found);
  await mergeNames(tx, tenant, graph, found);
  if (before.length > 0) await dropUnnamed(tx, graph, before, { mayReturn: true });
};

const readBefore = async (tx: Tx, found: readonly FoundInParagraph[]): Promise<string[]> => {
  const ids = found.map(({ paragraph }) => paragraph);
  const rows = await tx
    .selectFrom('entity_read')
    .select('paragraph')
    .where('paragraph', '=', sql<string>`any(${ids})`)
    .execute();
  return rows.map(({ paragraph }) => paragraph);
};

/** Nothing of these paragraphs stays in the graph, nor what they alone named. */
export const forgetEntities = async (
  tx: Tx,
  tenant: TenantId,
  paragraphs: readonly string[],
  { mayReturn } = { mayReturn: false },
): Promise<void> => {
  const keys = await eraseMentions(tx, OWN_GRAPH, paragraphs, { replies: true });
  if (keys.length === 0) return;
  await holdGraph(tx, tenant, OWN_GRAPH);
  await dropUnnamed(tx, OWN_GRAPH, keys, { mayReturn });
};

const OF_GRAPHS = ['entity_names', 'entity_mentions', 'entity_merges', 'entity_relations', 'entity_notes'] as const;

/** Graphs of evaluations that were not changed for so long go whole. */
export const dropStaleGraphs = async (db: Database<EnrichmentTables>, idleMs: number): Promise<void> => {
  const { rows } = await db.oneAsSystem(sql<{ tenant: TenantId; graph: string }>`
    select tenant, graph from entity_graphs
    where graph <> ${OWN_GRAPH} and used_at < now() - ${idleMs} * interval '1 millisecond'`);
  for (const { tenant, graph } of rows)
    await db.asTenant(tenant, async (tx) => {
      for (const table of [...OF_GRAPHS, 'entity_graphs'] as const)
        await tx.deleteFrom(table).where('graph', '=', graph).execute();
    });
};
