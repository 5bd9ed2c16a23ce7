import type { TenantId } from '@postmaster/contracts';
import type { Transaction } from 'kysely';
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

/** Stores what was found in paragraphs of the tenant's documents, those that are still there. Safe to repeat. */
export const storeEntities = async (tx: Tx, tenant: TenantId, found: readonly FoundInParagraph[]): Promise<void> => {
  const there = await stillThere(
    tx,
    found.map(({ paragraph }) => paragraph),
  );
  const kept = found.filter(({ paragraph }) => there.has(paragraph));
  if (kept.length === 0) return;
  await holdGraph(tx, tenant, OWN_GRAPH);
  await storeMentions(tx, tenant, OWN_GRAPH, kept);
  await mergeNames(tx, tenant, OWN_GRAPH, kept);
};

/** Nothing of these paragraphs stays in the graph, nor what they alone named. */
export const forgetEntities = async (
  tx: Tx,
  tenant: TenantId,
  paragraphs: readonly string[],
  { mayReturn } = { mayReturn: false },
): Promise<void> => {
  const keys = await eraseMentions(tx, tenant, OWN_GRAPH, paragraphs);
  if (keys.length === 0) return;
  await holdGraph(tx, tenant, OWN_GRAPH);
  await dropUnnamed(tx, OWN_GRAPH, keys, { mayReturn });
};
