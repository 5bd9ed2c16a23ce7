import type { Consumer, Lane, TenantId } from '@postmaster/contracts';
import { type Database, enqueue, once } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import type { EntityModel } from './entities/entity-model.js';
import { entityPrompts } from './entities/entity-prompt.js';
import type { FacetModel } from './facet-model.js';
import type { OwnModel } from './make-facets.js';
import { facetInstructions } from './prompt/facet-prompt.js';
import { wantEntitiesAnew } from './rows/entity-replies.js';
import { forgetInput } from './rows/extracted.js';
import { readOwnPrompts } from './rows/own-prompts.js';
import { EXTRACT_METADATA, FIND_ENTITIES, retakeGenre, wantFacets } from './rows/paragraphs.js';
import { forgetRepliesBy } from './rows/replies.js';
import type { EnrichmentTables } from './rows/tables.js';

/**
 * Asks for the facets anew that another model, or another prompt, made, a fallback among them, for what the document is
 * taken for now. The old ones stay until the new ones are in. So it does with the document's metadata, and with entities
 * of what was read before there were any, by older rules, or by another model.
 */
export const renewFacets = (
  db: Database<EnrichmentTables>,
  server: Pick<FacetModel, 'id' | 'promptVersion' | 'fallbacks'>,
  ownModel: OwnModel = () => Promise.resolve(undefined),
  entitiesOf: (tenant: TenantId) => Promise<Pick<EntityModel, 'id'> | undefined> = () => Promise.resolve(undefined),
): Consumer<'facets.wanted'> => ({
  name: 'enrichment.renew-facets',
  types: ['facets.wanted'],
  handle: async (event) => {
    const model = (await ownModel(event.tenant)) ?? server;
    const reader = await entitiesOf(event.tenant);
    return once(db, 'enrichment.renew-facets', event, async (tx) => {
      const { document, version: latest, lane } = event.data;
      await enqueue(tx, event.tenant, [{ kind: FIND_ENTITIES, key: document, document, version: latest, lane }]);
      if (reader) {
        const prompts = Object.values(entityPrompts(await readOwnPrompts(tx, 'entities')));
        const now = { model: reader.id, promptVersions: prompts.map((prompt) => prompt.version) };
        await wantEntitiesAnew(tx, event.tenant, event.data, now);
      }
      await wantMetadata(tx, event.tenant, event.data);
      const rows = await outdated(tx, document, model);
      const version = rows[0]?.version;
      if (version === undefined) return;
      const ids = rows.map((row) => row.id);
      await forgetRepliesBy(tx, model.fallbacks ?? [], ids);
      await wantFacets(tx, event.tenant, { ...event.data, version }, ids);
    });
  },
});

/** A reply to the same question is kept, so that this asks the model only where it, or what it is told, is another. */
const wantMetadata = async (
  tx: Transaction<EnrichmentTables>,
  tenant: TenantId,
  { document, lane }: { document: string; lane: Lane },
): Promise<void> => {
  const version = await forgetInput(tx, document);
  if (version !== undefined)
    await enqueue(tx, tenant, [{ kind: EXTRACT_METADATA, key: document, document, version, lane }]);
};

const outdated = async (
  tx: Transaction<EnrichmentTables>,
  document: string,
  model: Pick<FacetModel, 'id' | 'promptVersion'>,
): Promise<{ id: string; version: number }[]> => {
  await retakeGenre(tx, document);
  const ownPrompt = await readOwnPrompts(tx, 'facets');
  const rows = await tx
    .selectFrom('paragraphs')
    .select(['id', 'version', 'language', 'genre'])
    .select(sql<string | null>`facets->>'model'`.as('model'))
    .select(sql<string | null>`facets->>'promptVersion'`.as('prompt'))
    .where('document', '=', document)
    .execute();
  const wanted = ({ language, genre }: (typeof rows)[number]): string =>
    model.id === 'extractive'
      ? model.promptVersion
      : facetInstructions({ language, genre: genre ?? undefined }, ownPrompt).version;
  return rows.filter((row) => row.model !== model.id || row.prompt !== wanted(row));
};
