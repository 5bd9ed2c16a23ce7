import { hashOf, type TenantId } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import { type MemoryLine, typeCalled } from '../entities/exchange.js';
import { nameKey } from '../entities/name-key.js';
import { entityId, holdGraph, OWN_GRAPH } from './entity-mentions.js';
import { dropUnnamed, noteMerges, settleNames } from './entity-merges.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;
type Lines<T extends MemoryLine['type']> = readonly Extract<MemoryLine, { type: T }>[];

/** How many entities were given by hand. */
export const countGiven = async (tx: Tx): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from entity_names where graph = ${OWN_GRAPH} and given`.execute(tx);
  return rows[0]?.count ?? 0;
};

/** Of these names' keys, those that there are; the graph is held from then on. */
export const keysThere = async (tx: Tx, tenant: TenantId, keys: readonly string[]): Promise<Set<string>> => {
  await holdGraph(tx, tenant, OWN_GRAPH);
  const { rows } = await sql<{ key: string }>`
    select key from entity_names where graph = ${OWN_GRAPH} and key = any(${[...keys]})`.execute(tx);
  return new Set(rows.map(({ key }) => key));
};

/** Entities that stay without a paragraph that names them. Given again, the type is the last one's. */
export const giveEntities = async (tx: Tx, tenant: TenantId, entities: Lines<'entity'>): Promise<void> => {
  const byKey = new Map(entities.map((one) => [nameKey(one.name), one]));
  const rows = [...byKey].map(([key, { name, entityType }]) => ({
    ...{ key, id: entityId(OWN_GRAPH, key), name, type: typeCalled(entityType), given_type: entityType },
  }));
  await sql`
    insert into entity_names (tenant, graph, key, id, entity, name, type, given_type, given)
    select ${tenant}, ${OWN_GRAPH}, key, id, id, name, type, given_type, true
    from json_to_recordset(${JSON.stringify(rows)}::json) as g(key text, id text, name text, type text, given_type text)
    on conflict (tenant, graph, key) do update set name = excluded.name, given_type = excluded.given_type, given = true,
      type = case when excluded.type = 'other' then entity_names.type else excluded.type end`.execute(tx);
  const notes = entities.flatMap(({ name, observations }) =>
    observations.map((text, place) => ({ key: nameKey(name), hash: hashOf(text).slice(0, 32), text, place })),
  );
  await sql`
    insert into entity_notes (tenant, graph, key, hash, text, place)
    select ${tenant}, ${OWN_GRAPH}, key, hash, text, place
    from json_to_recordset(${JSON.stringify(notes)}::json) as g(key text, hash text, text text, place int)
    on conflict do nothing`.execute(tx);
  await settleNames(tx, OWN_GRAPH, [...byKey.keys()]);
};

/** Relations between names that there are; they outlast what their documents say. */
export const giveRelations = async (tx: Tx, tenant: TenantId, relations: Lines<'relation'>): Promise<void> => {
  const rows = relations.map(({ from, to, relationType }) => ({
    source: nameKey(from),
    target: nameKey(to),
    relationType,
  }));
  await sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as g(source text, target text, "relationType" text)
    ), named as (
      update entity_names set given = true where graph = ${OWN_GRAPH} and not given
        and (key in (select source from given) or key in (select target from given))
    )
    insert into entity_relations (tenant, graph, source, target, type, document, paragraph)
    select ${tenant}, ${OWN_GRAPH}, source, target, "relationType", '', '' from given on conflict do nothing`.execute(
    tx,
  );
};

/** Takes back what was given of these names by hand: that they are there, what was said of them, how they are related. */
export const takeBackGiven = async (tx: Tx, tenant: TenantId, keys: readonly string[]): Promise<void> => {
  await holdGraph(tx, tenant, OWN_GRAPH);
  const of = [...keys];
  await sql`
    with unrelated as (
      delete from entity_relations where graph = ${OWN_GRAPH} and paragraph = '' and (source = any(${of}) or target = any(${of}))
    ), unsaid as (
      delete from entity_notes where graph = ${OWN_GRAPH} and key = any(${of})
    )
    update entity_names set given = false, given_type = null where graph = ${OWN_GRAPH} and key = any(${of})`.execute(
    tx,
  );
  await dropUnnamed(tx, OWN_GRAPH, of, { mayReturn: false });
};

/** A person's word on which name another one is counts before all reasons; a name into itself: nobody else's. */
export const sayMerges = async (
  tx: Tx,
  tenant: TenantId,
  said: readonly { key: string; into: string }[],
): Promise<void> => {
  await holdGraph(tx, tenant, OWN_GRAPH);
  const keys = said.map(({ key }) => key);
  await unsayMerges(tx, keys);
  await noteMerges(
    tx,
    tenant,
    OWN_GRAPH,
    said.map((one) => ({ ...one, why: 'hand', document: '', paragraph: '' })),
  );
  await settleNames(tx, OWN_GRAPH, keys);
};

/** Takes a person's word on these names back, so that what texts say counts again. */
export const takeBackMerges = async (tx: Tx, tenant: TenantId, keys: readonly string[]): Promise<void> => {
  await holdGraph(tx, tenant, OWN_GRAPH);
  await unsayMerges(tx, keys);
  await settleNames(tx, OWN_GRAPH, keys);
};

const unsayMerges = (tx: Tx, keys: readonly string[]): Promise<unknown> =>
  sql`delete from entity_merges where graph = ${OWN_GRAPH} and why = 'hand' and key = any(${[...keys]})`.execute(tx);
