import { CodedError, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { entitiesById, type Entity } from '../rows/entity-graph.js';
import { keysThere, sayMerges, takeBackGiven, takeBackMerges } from '../rows/entity-gifts.js';
import { entityId, OWN_GRAPH } from '../rows/entity-mentions.js';
import type { EnrichmentTables } from '../rows/tables.js';

/** What a person says of which names are one thing. It outlives what documents say, and can be taken back. */
export const nameEntities = (db: Database<EnrichmentTables>) => ({
  /** These entities are that one. Throws NOT_FOUND. */
  merge: (tenant: TenantId, into: string, ids: readonly string[]): Promise<Entity[]> =>
    db.asTenant(tenant, async (tx) => {
      const [target, ...others] = present(await entitiesById(tx, [into, ...ids]), [into, ...ids]);
      const said = others.filter(({ key }) => key !== target!.key).map(({ key }) => ({ key, into: target!.key }));
      await sayMerges(tx, tenant, said);
      return present(await entitiesById(tx, [into]), [into]);
    }),

  /** Names, by their keys, are entities of their own; with `takeBack`, what texts say of them counts again. Throws NOT_FOUND. */
  separate: (tenant: TenantId, keys: readonly string[], takeBack: boolean): Promise<Entity[]> =>
    db.asTenant(tenant, async (tx) => {
      const there = await keysThere(tx, tenant, keys);
      const missing = keys.find((key) => !there.has(key));
      if (missing !== undefined) throw unknown(missing);
      if (takeBack) await takeBackMerges(tx, tenant, keys);
      else
        await sayMerges(
          tx,
          tenant,
          keys.map((key) => ({ key, into: key })),
        );
      const ids = keys.map((key) => entityId(OWN_GRAPH, key));
      return present(await entitiesById(tx, ids), ids);
    }),

  /** Takes back what was given of these entities by hand; those that documents name stay. Throws NOT_FOUND. */
  takeBack: (tenant: TenantId, ids: readonly string[]): Promise<Entity[]> =>
    db.asTenant(tenant, async (tx) => {
      const entities = present(await entitiesById(tx, ids), ids);
      await takeBackGiven(
        tx,
        tenant,
        entities.map(({ key }) => key),
      );
      return (await entitiesById(tx, ids)).filter((entity) => entity !== null);
    }),
});

const present = (entities: readonly (Entity | null)[], ids: readonly string[]): Entity[] =>
  entities.map((entity, at) => {
    if (entity) return entity;
    throw unknown(ids[at]!);
  });

const unknown = (which: string): CodedError => new CodedError('NOT_FOUND', `There is no entity "${which}".`);
