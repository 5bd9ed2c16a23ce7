import type { Consumer } from '@postmaster/contracts';
import { type Database, once } from '@postmaster/durable';
import { sql } from 'kysely';
import type { FacetModel } from './facet-model.js';
import type { OwnModel } from './make-facets.js';
import { wantFacets } from './rows/paragraphs.js';
import { forgetRepliesBy } from './rows/replies.js';
import type { EnrichmentTables } from './rows/tables.js';

/**
 * Asks for the facets anew that another model, or another prompt, made, a fallback among them. The old ones stay until
 * the new ones are in. */
export const renewFacets = (
  db: Database<EnrichmentTables>,
  server: Pick<FacetModel, 'id' | 'promptVersion' | 'fallbacks'>,
  ownModel: OwnModel = () => Promise.resolve(undefined),
): Consumer<'facets.wanted'> => ({
  name: 'enrichment.renew-facets',
  types: ['facets.wanted'],
  handle: async (event) => {
    const model = (await ownModel(event.tenant)) ?? server;
    return once(db, 'enrichment.renew-facets', event, async (tx) => {
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
      const ids = rows.map((row) => row.id);
      await forgetRepliesBy(tx, model.fallbacks ?? [], ids);
      await wantFacets(tx, event.tenant, { ...event.data, version }, ids);
    });
  },
});
