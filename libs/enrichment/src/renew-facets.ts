import type { Consumer } from '@postmaster/contracts';
import { type Database, enqueue, once } from '@postmaster/durable';
import { sql } from 'kysely';
import type { FacetModel } from './facet-model.js';
import type { OwnModel } from './make-facets.js';
import { FIND_ENTITIES, wantFacets } from './rows/paragraphs.js';
import type { EnrichmentTables } from './rows/tables.js';

/**
 * Asks for the facets anew that another model, or another prompt, made, and for entities of what was read before there
 * were any, or by older rules. The old ones stay until the new ones are in.
 */
export const renewFacets = (
  db: Database<EnrichmentTables>,
  server: Pick<FacetModel, 'id' | 'promptVersion'>,
  ownModel: OwnModel = () => Promise.resolve(undefined),
): Consumer<'facets.wanted'> => ({
  name: 'enrichment.renew-facets',
  types: ['facets.wanted'],
  handle: async (event) => {
    const model = (await ownModel(event.tenant)) ?? server;
    return once(db, 'enrichment.renew-facets', event, async (tx) => {
      const { document, lane } = event.data;
      await enqueue(tx, event.tenant, [
        { kind: FIND_ENTITIES, key: document, document, version: event.data.version, lane },
      ]);
      const rows = await tx
        .selectFrom('paragraphs')
        .select(['id', 'version'])
        .where('document', '=', event.data.document)
        .where((eb) =>
          eb.or([
            eb('facets', 'is', null),
            sql<boolean>`facets->>'model' <> ${model.id}`,
            sql<boolean>`facets->>'promptVersion' <> ${model.promptVersion}`,
          ]),
        )
        .execute();
      const version = rows[0]?.version;
      if (version === undefined) return;
      await wantFacets(
        tx,
        event.tenant,
        { ...event.data, version },
        rows.map((row) => row.id),
      );
    });
  },
});
