import type { Consumer } from '@postmaster/contracts';
import { type Database, once } from '@postmaster/durable';
import { sql } from 'kysely';
import type { FacetModel } from './facet-model.js';
import { wantFacets } from './rows/paragraphs.js';
import type { EnrichmentTables } from './rows/tables.js';

/** Asks for the facets anew that another model, or another prompt, made. The old ones stay until the new ones are in. */
export const renewFacets = (
  db: Database<EnrichmentTables>,
  model: Pick<FacetModel, 'id' | 'promptVersion'>,
): Consumer<'facets.wanted'> => ({
  name: 'enrichment.renew-facets',
  types: ['facets.wanted'],
  handle: (event) =>
    once(db, 'enrichment.renew-facets', event, async (tx) => {
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
    }),
});
