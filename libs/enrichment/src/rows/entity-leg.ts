import { sql, type Transaction } from 'kysely';
import { type AskedName, knownNames } from '../entities/names-asked.js';
import type { NamedIn } from '../entities/rank-by-entities.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;

/** Of mentions, for each step; of what more paragraphs name, the leg says little. */
const MOST_MENTIONS = 2_000;
const MOST_NEIGHBOURS = 10;
/** Of what stands beside the question's entities, so many are weighed. */
const WEIGHED = 30;

/** The entities of a question, and what stands closest beside them. */
export interface AskedGraph {
  asked: NamedIn[];
  neighbours: NamedIn[];
}

/** Each step is a look-up of keys in an index: rows are counted here, so that no plan depends on the tables' statistics. */
export const readAsked = async (tx: Tx, graph: string, names: readonly AskedName[]): Promise<AskedGraph> => {
  const entityOf = await entitiesOfKeys(
    tx,
    graph,
    names.flatMap(({ keys }) => keys),
  );
  const ids = [...new Set(knownNames(names, new Set(entityOf.keys())).flatMap((key) => entityOf.get(key) ?? []))];
  if (ids.length === 0) return { asked: [], neighbours: [] };
  const asked = await namedIn(tx, graph, ids);
  const beside = await shownBeside(tx, graph, asked);
  const weighed = [...beside].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, WEIGHED);
  const near = await namedIn(
    tx,
    graph,
    weighed.map(([id]) => id),
  );
  const closeness = ({ id, paragraphs }: NamedIn): number => beside.get(id)! / Math.sqrt(1 + paragraphs.length);
  near.sort((a, b) => closeness(b) - closeness(a) || (a.id < b.id ? -1 : 1));
  return { asked, neighbours: near.slice(0, MOST_NEIGHBOURS) };
};

const entitiesOfKeys = async (tx: Tx, graph: string, keys: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql<{ key: string; entity: string }>`
    select key, entity from entity_names where graph = ${graph} and key = any(${[...new Set(keys)]})`.execute(tx);
  return new Map(rows.map(({ key, entity }) => [key, entity]));
};

const namedIn = async (tx: Tx, graph: string, ids: readonly string[]): Promise<NamedIn[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; key: string; entity: string; name: string }>`
    select id, key, entity, name from entity_names where graph = ${graph} and entity = any(${[...ids]})`.execute(tx);
  const entityOf = new Map(rows.map(({ key, entity }) => [key, entity]));
  const { rows: mentions } = await sql<{ key: string; paragraph: string }>`
    select key, paragraph from entity_mentions where graph = ${graph} and key = any(${[...entityOf.keys()]})
    order by paragraph limit ${MOST_MENTIONS}`.execute(tx);
  const paragraphs = new Map<string, Set<string>>();
  for (const { key, paragraph } of mentions) {
    const entity = entityOf.get(key)!;
    paragraphs.set(entity, (paragraphs.get(entity) ?? new Set()).add(paragraph));
  }
  return rows
    .filter(({ id, entity }) => id === entity)
    .map(({ id, key, name }) => ({ id, key, name, paragraphs: [...(paragraphs.get(id) ?? [])] }));
};

/** How many paragraphs show each other entity beside these; one alone does not, but for what is said to be related. */
const shownBeside = async (tx: Tx, graph: string, asked: readonly NamedIn[]): Promise<Map<string, number>> => {
  const own = new Set(asked.map(({ id }) => id));
  const paragraphs = [...new Set(asked.flatMap((one) => one.paragraphs))];
  const { rows } = await sql<{ key: string; shared: number }>`
    select key, count(*)::int as shared from entity_mentions where graph = ${graph} and paragraph = any(${paragraphs})
    group by key having count(*) > 1 order by shared desc, key limit ${10 * WEIGHED}`.execute(tx);
  const keys = asked.map(({ key }) => key);
  const { rows: related } = await sql<{ key: string; shared: number }>`
    select case when source = any(${keys}) then target else source end as key, count(*)::int as shared
    from entity_relations where graph = ${graph} and (source = any(${keys}) or target = any(${keys})) group by 1`.execute(
    tx,
  );
  const shown = [...rows, ...related];
  const entityOf = await entitiesOfKeys(
    tx,
    graph,
    shown.map(({ key }) => key),
  );
  const beside = new Map<string, number>();
  for (const { key, shared } of shown) {
    const entity = entityOf.get(key);
    if (entity !== undefined && !own.has(entity)) beside.set(entity, (beside.get(entity) ?? 0) + shared);
  }
  return beside;
};
