import { entityParagraphs, EVALUATION_LIMITS, holdEntities, requireScope, type Requests } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { dropStaleGraphs, storeInGraph } from '../rows/entities.js';
import { readAsked } from '../rows/entity-leg.js';
import { OWN_GRAPH } from '../rows/entity-mentions.js';
import type { EnrichmentTables } from '../rows/tables.js';
import { findMentions } from './find-mentions.js';
import { namesAsked } from './names-asked.js';
import { rankByEntities } from './rank-by-entities.js';

/** Answers searches that want a leg of entities, and keeps the graphs that evaluations ask of. */
export const answerEntityLeg = (requests: Pick<Requests, 'answer'>, db: Database<EnrichmentTables>): void => {
  requests.answer(entityParagraphs, async (identity, { query, graph = OWN_GRAPH, most }) => {
    requireScope(identity, 'read');
    const names = namesAsked(query);
    if (names.length === 0) return { paragraphs: [] };
    const { asked, neighbours } = await db.asTenant(identity.tenant, (tx) => readAsked(tx, graph, names));
    return { paragraphs: rankByEntities(asked, neighbours, most) };
  });
  requests.answer(holdEntities, async ({ tenant, ...identity }, { graph, paragraphs }) => {
    requireScope({ tenant, ...identity }, 'admin');
    const found = paragraphs.map(({ id, document, text }) => ({
      paragraph: id,
      document,
      ...findMentions(text, null),
    }));
    await db.asTenant(tenant, (tx) => storeInGraph(tx, tenant, graph, found));
    return { held: found.length };
  });
};

/** Takes away the graphs that evaluations have left behind. */
export const sweepGraphs = (db: Database<EnrichmentTables>): Promise<void> =>
  dropStaleGraphs(db, 6 * EVALUATION_LIMITS.lifetimeMs); // asking does not touch them
