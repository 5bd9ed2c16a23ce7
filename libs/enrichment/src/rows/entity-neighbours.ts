import { CodedError } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { type Entity, entitiesById, type Neighbour, type Page, type PageAsked, type Relation } from './entity-graph.js';
import { OWN_GRAPH } from './entity-mentions.js';
import type { EnrichmentTables } from './tables.js';

/** Of an entity that more paragraphs name, so many are looked at for who stands beside it. */
const MOST_PARAGRAPHS = 2_000;

const NAMES = sql`(select key, entity from entity_names where graph = ${OWN_GRAPH})`;

interface Beside {
  entity: string;
  weight: number;
  relations: Relation[] | null;
  total: number;
}

/** Who stands beside an entity in its paragraphs, or is related to it; those that most paragraphs show so first. */
export const neighboursOf = async (
  tx: Transaction<EnrichmentTables>,
  id: string,
  { first, after }: PageAsked,
): Promise<Page<Neighbour>> => {
  const from = /^\d{1,9}$/u.test(after ?? '') ? Number(after) : 0;
  const { rows } = await sql<Beside>`
    with mine as (
      select distinct m.paragraph from entity_mentions m join ${NAMES} n on n.key = m.key
      where m.graph = ${OWN_GRAPH} and n.entity = ${id} order by m.paragraph limit ${MOST_PARAGRAPHS}
    ), related as (
      select s.entity = ${id} as outgoing, case when s.entity = ${id} then t.entity else s.entity end as entity, r.type,
        r.paragraph
      from entity_relations r join ${NAMES} s on s.key = r.source join ${NAMES} t on t.key = r.target
      where r.graph = ${OWN_GRAPH} and ${id} in (s.entity, t.entity) and s.entity <> t.entity
    ), shown as (
      select n.entity, m.paragraph from entity_mentions m join mine on mine.paragraph = m.paragraph
      join ${NAMES} n on n.key = m.key where m.graph = ${OWN_GRAPH} and n.entity <> ${id}
      union select entity, paragraph from related
    ), typed as (
      select entity, json_agg(json_build_object('type', type, 'outgoing', outgoing, 'paragraphs', paragraphs,
        'paragraph', paragraph, 'given', given)
        order by paragraphs desc, type, outgoing) as relations
      from (select entity, type, outgoing, count(*) filter (where paragraph <> '')::int as paragraphs,
              min(paragraph) filter (where paragraph <> '') as paragraph, bool_or(paragraph = '') as given from related group by entity, type, outgoing) as each
      group by entity
    )
    select shown.entity, count(*) filter (where paragraph <> '')::int as weight, (count(*) over ())::int as total,
      (select relations from typed where typed.entity = shown.entity) as relations
    from shown group by shown.entity
    order by count(*) desc, shown.entity limit ${first + 1} offset ${from}`.execute(tx);
  const found = await entitiesById(
    tx,
    rows.map(({ entity }) => entity),
  );
  const nodes = rows.flatMap(({ weight, relations }, at): Neighbour[] => {
    const entity: Entity | null | undefined = found[at];
    return entity ? [{ entity, weight, relations: relations ?? [] }] : [];
  });
  return {
    items: nodes.slice(0, first).map((node, at) => ({ cursor: String(from + at + 1), node })),
    hasNext: rows.length > first,
    total: rows[0]?.total ?? 0,
  };
};

/** Each relation once, between the names that are shown; the cursor is source, target and type in a list of JSON. */
export const pageOfRelations = async (
  tx: Transaction<EnrichmentTables>,
  { first, after }: PageAsked,
): Promise<Page<{ source: string; target: string; type: string }>> => {
  const [source, target, type] = placeIn(after);
  const { rows } = await sql<{ source: string; target: string; type: string; cursor: string[] }>`
    select ${exportedName('s')} as source, ${exportedName('t')} as target, r.type, json_build_array(r.source, r.target, r.type) as cursor
    from (select distinct source, target, type from entity_relations where graph = ${OWN_GRAPH}
          and (source, target, type) > (${source}, ${target}, ${type})
          order by source, target, type limit ${first + 1}) r
    join entity_names a on a.graph = ${OWN_GRAPH} and a.key = r.source
    join entity_names s on s.graph = ${OWN_GRAPH} and s.id = a.entity
    join entity_names b on b.graph = ${OWN_GRAPH} and b.key = r.target
    join entity_names t on t.graph = ${OWN_GRAPH} and t.id = b.entity
    order by r.source, r.target, r.type`.execute(tx);
  const items = rows.slice(0, first).map(({ cursor, ...node }) => ({ cursor: JSON.stringify(cursor), node }));
  return { items, hasNext: rows.length > first, total: items.length };
};

/** As the entity's own line has it: a day by its date, which is the same in every language. */
const exportedName = (table: string) =>
  sql`case when ${sql.ref(`${table}.type`)} = 'date' then ${sql.ref(`${table}.key`)} else ${sql.ref(`${table}.name`)} end`;

const Place = z.tuple([z.string(), z.string(), z.string()]);

const placeIn = (after = ''): [string, string, string] => {
  if (after === '') return ['', '', ''];
  try {
    return Place.parse(JSON.parse(after));
  } catch (cause) {
    throw new CodedError('INPUT_INVALID', 'That is no cursor of this list.', { field: 'after', cause });
  }
};
