import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { EntityType, MergeReason } from '../entities/entity.js';
import { OWN_GRAPH } from './entity-mentions.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;

/** Something that documents name, under whatever names. */
export interface Entity {
  id: string;
  key: string;
  name: string;
  type: EntityType;
  /** In the words of whoever gave it by hand; null where nobody did. */
  givenType: string | null;
  given: boolean;
}

/** One of the forms of an entity's name. */
export interface EntityAlias {
  name: string;
  key: string;
  /** Why it is a name of this entity; null for forms of its own name. */
  why: MergeReason | null;
  /** How many paragraphs have it so, and the first of them by id. */
  paragraphs: number;
  paragraph: string | null;
}

export interface Relation {
  type: string;
  /** Whether it leads from the entity that was asked about to the neighbour. */
  outgoing: boolean;
  /** How many paragraphs say so, and the first of them by id; 0 and null where it was given by hand alone. */
  paragraphs: number;
  paragraph: string | null;
  given: boolean;
}

export interface Neighbour {
  entity: Entity;
  /** How many paragraphs name both, or say how they are related. */
  weight: number;
  relations: Relation[];
}

export interface Page<T> {
  items: { cursor: string; node: T }[];
  hasNext: boolean;
  total: number;
}

export interface PageAsked {
  first: number;
  after?: string;
}

const COLUMNS = sql`n.id, n.key, n.name, n.type, n.given_type as "givenType", n.given`;
const named = (table: string): RawBuilder<unknown> => sql`${sql.ref(table)}.graph = ${OWN_GRAPH}`;

/** The entities of these ids, in order; of a name that counts as another's, that other one; null for none. */
export const entitiesById = async (tx: Tx, ids: readonly string[]): Promise<(Entity | null)[]> => {
  const { rows } = await sql<Entity & { asked: string }>`
    select a.id as asked, ${COLUMNS} from entity_names a join entity_names n on ${named('n')} and n.id = a.entity
    where ${named('a')} and a.id = any(${[...ids]})`.execute(tx);
  const found = new Map(rows.map(({ asked, ...entity }) => [asked, entity]));
  return ids.map((id) => found.get(id) ?? null);
};

/** In the order of the alphabet; `search` is part of any of their names' keys. */
export const pageOfEntities = async (
  tx: Tx,
  { search, types, first, after = '' }: PageAsked & { search?: string; types?: readonly EntityType[] },
): Promise<Page<Entity>> => {
  const like = search && `%${search.replace(/[\\%_]/gu, '\\$&')}%`;
  const passes = sql`${named('n')} and n.entity = n.id
    ${types ? sql`and n.type = any(${[...types]})` : sql``}
    ${like ? sql`and exists (select from entity_names a where ${named('a')} and a.entity = n.id and a.key like ${like})` : sql``}`;
  const { rows } = await sql<Entity>`
    select ${COLUMNS} from entity_names n where ${passes} and n.key > ${after} order by n.key limit ${first + 1}`.execute(
    tx,
  );
  const { rows: all } = await sql<{ count: number }>`select count(*)::int from entity_names n where ${passes}`.execute(
    tx,
  );
  return pageOf(rows, first, ({ key }) => key, all[0]?.count ?? 0);
};

const pageOf = <T>(
  rows: readonly T[],
  first: number,
  cursorOf: (row: T, at: number) => string,
  total: number,
): Page<T> => ({
  items: rows.slice(0, first).map((node, at) => ({ cursor: cursorOf(node, at), node })),
  hasNext: rows.length > first,
  total,
});

/** Those of documents, or of paragraphs, the most frequent first; `cursor` of `after` is a place in that order. */
export const entitiesIn = async (
  tx: Tx,
  of: 'document' | 'paragraph',
  ids: readonly string[],
  { first, after }: PageAsked,
): Promise<Map<string, Page<Entity>>> => {
  const from = placeOf(after);
  const { rows } = await sql<Entity & { asked: string; place: number; total: number }>`
    with named as (
      select m.${sql.ref(of)} as asked, a.entity, sum(m.count) as often from entity_mentions m
      join entity_names a on ${named('a')} and a.key = m.key
      where ${named('m')} and m.${sql.ref(of)} = any(${[...ids]}) group by 1, 2
    ), placed as (
      select asked, n.*, (row_number() over (partition by asked order by often desc, n.key))::int as place,
        (count(*) over (partition by asked))::int as total
      from named join entity_names n on ${named('n')} and n.id = named.entity
    )
    select asked, place, total, ${COLUMNS} from placed n
    where place > ${from} and place <= ${from + first + 1} order by asked, place`.execute(tx);
  const pages = ids.map((id): [string, Page<Entity>] => {
    const own = rows.filter(({ asked }) => asked === id);
    const entities = own.map(({ asked: _, place: __, total: ___, ...entity }) => entity);
    return [id, pageOf(entities, first, (_, at) => String(from + at + 1), own[0]?.total ?? 0)];
  });
  return new Map(pages);
};

const placeOf = (after = '0'): number => (/^\d{1,9}$/u.test(after) ? Number(after) : 0);

/** The forms of these entities' names, the most frequent first. */
export const aliasesOf = async (tx: Tx, ids: readonly string[]): Promise<Map<string, EntityAlias[]>> => {
  const { rows } = await sql<EntityAlias & { entity: string }>`
    select n.entity, coalesce(m.name, n.name) as name, n.key, case when n.id = n.entity then null else (
        select w.why from entity_merges w where ${named('w')} and w.key = n.key and w.into_key <> n.key
        order by w.why = 'hand' desc, w.why limit 1) end as why,
      count(m.paragraph)::int as paragraphs, min(m.paragraph) as paragraph
    from entity_names n left join entity_mentions m on ${named('m')} and m.key = n.key
    where ${named('n')} and n.entity = any(${[...ids]})
    group by n.entity, n.id, n.key, n.name, m.name order by paragraphs desc, name`.execute(tx);
  return grouped(rows);
};

/** What people said of these entities, in the order in which they did. */
export const notesOf = async (tx: Tx, ids: readonly string[]): Promise<Map<string, string[]>> => {
  const { rows } = await sql<{ entity: string; text: string }>`
    select n.entity, o.text from entity_notes o join entity_names n on ${named('n')} and n.key = o.key
    where ${named('o')} and n.entity = any(${[...ids]}) order by o.noted_at, o.place, o.hash`.execute(tx);
  const found = new Map<string, string[]>();
  for (const { entity, text } of rows) found.set(entity, [...(found.get(entity) ?? []), text]);
  return found;
};

const grouped = <T extends { entity: string }>(rows: readonly T[]): Map<string, Omit<T, 'entity'>[]> => {
  const found = new Map<string, Omit<T, 'entity'>[]>();
  for (const { entity, ...row } of rows) found.set(entity, [...(found.get(entity) ?? []), row]);
  return found;
};

/** Paragraphs that name all of these entities, in the order of their ids. */
export const paragraphsNaming = async (
  tx: Tx,
  entities: readonly string[],
  { first, after = '' }: PageAsked,
): Promise<Page<string>> => {
  const naming = sql`
    select m.paragraph from entity_mentions m join entity_names n on ${named('n')} and n.key = m.key
    where ${named('m')} and n.entity = any(${[...entities]})
    group by m.paragraph having count(distinct n.entity) = ${new Set(entities).size}`;
  const { rows } = await sql<{ paragraph: string; total: number }>`
    with naming as (${naming})
    select paragraph, (select count(*)::int from naming) as total from naming
    where paragraph > ${after} order by paragraph limit ${first + 1}`.execute(tx);
  const paragraphs = rows.map(({ paragraph }) => paragraph);
  return pageOf(paragraphs, first, (paragraph) => paragraph, rows[0]?.total ?? 0);
};
