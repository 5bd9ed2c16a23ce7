import { hashOf, type TenantId } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import { ENTITY_TYPES, type FoundEntities } from '../entities/entity.js';
import { ENTITY_RULES } from '../entities/find-mentions.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;

/** The graph of a tenant's documents. */
export const OWN_GRAPH = '';

/** What was found in one paragraph of a document. */
export interface FoundInParagraph extends FoundEntities {
  paragraph: string;
  document: string;
  /** By which rules, and with which reply; of a document's own graph. */
  by?: string;
}

export const entityId = (graph: string, key: string): string => hashOf(graph, key).slice(0, 24);

/** Whoever changes a graph's names waits here for whoever does; before it come the locks of paragraphs. */
export const holdGraph = (tx: Tx, tenant: TenantId, graph: string): Promise<unknown> =>
  sql`insert into entity_graphs (tenant, graph) values (${tenant}, ${graph})
    on conflict (tenant, graph) do update set used_at = now()`.execute(tx);

/** A paragraph that is to be read, with what a model said of it, where one was asked. */
export interface Unread {
  id: string;
  document: string;
  text: string;
  language: string | null;
  reply: unknown;
  /** By which rules, and with which of the model's replies, it is read now. */
  by: string;
}

/** Which of these documents' paragraphs are still to be read, at most so many; none of them whose text is in a file. */
export const readUnread = (tx: Tx, documents: readonly string[], most: number): Promise<Unread[]> =>
  tx
    .selectFrom('paragraphs as p')
    .leftJoin('entity_replies as e', 'e.paragraph', 'p.id')
    .leftJoin('entity_read as r', 'r.paragraph', 'p.id')
    .select(['p.id', 'p.document', 'p.text', 'p.language', 'e.reply', READ_BY.as('by')])
    .where('p.document', 'in', [...documents, ''])
    .where('p.text', '<>', '')
    .where(sql<boolean>`r.rules is distinct from ${READ_BY}`)
    .orderBy('p.document')
    .orderBy('p.id')
    .limit(most)
    .execute();

const READ_BY = sql<string>`${ENTITY_RULES}::text || coalesce('+' || e.revision, '')`;

/** Those of these paragraphs that are there with a text, and stay while the transaction is open. */
export const stillThere = async (tx: Tx, paragraphs: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await tx
    .selectFrom('paragraphs')
    .select('id')
    .where('id', '=', sql<string>`any(${[...paragraphs]})`)
    .where('text', '<>', '')
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/**
 * Stores what was found in paragraphs that nothing is stored of. Of a name's forms the one with small letters is shown, the shorter before the longer, and it is of the
 * surest type that it was found as: whatever came first.
 */
export const storeMentions = async (
  tx: Tx,
  tenant: TenantId,
  graph: string,
  found: readonly FoundInParagraph[],
): Promise<void> => {
  const mentions = found.flatMap(({ paragraph, document, mentions: all }) =>
    all.map((one) => ({ ...one, paragraph, document, id: entityId(graph, one.key) })),
  );
  const relations = found.flatMap(({ paragraph, document, relations: all = [] }) =>
    all.map((one) => ({ ...one, paragraph, document })),
  );
  const read = found.map(({ paragraph, document, by }) => ({ paragraph, document, by }));
  await sql`
    with m as (
      select * from json_to_recordset(${JSON.stringify(mentions)}::json)
        as m(paragraph text, document text, key text, id text, name text, type text, count int)
    ), mentioned as (
      insert into entity_mentions (tenant, graph, paragraph, key, document, name, type, count)
      select ${tenant}, ${graph}, paragraph, key, document, name, type, count from m on conflict do nothing
    ), related as (
      insert into entity_relations (tenant, graph, source, target, type, document, paragraph)
      select ${tenant}, ${graph}, source, target, type, document, paragraph
      from json_to_recordset(${JSON.stringify(relations)}::json)
        as r(source text, target text, type text, document text, paragraph text) on conflict do nothing
    ), been_read as (
      insert into entity_read (tenant, paragraph, document, rules)
      select ${tenant}, r.paragraph, r.document, r.by
      from json_to_recordset(${JSON.stringify(graph === OWN_GRAPH ? read : [])}::json)
        as r(paragraph text, document text, by text)
      on conflict (tenant, paragraph) do update set rules = excluded.rules
    )
    insert into entity_names as n (tenant, graph, key, id, entity, name, type)
    select ${tenant}, ${graph}, key, id, id, ${BEST} from m group by key, id order by key
    on conflict (tenant, graph, key) do update set
      name = case when n.given or ${shown('n.name')} <= ${shown('excluded.name')} then n.name else excluded.name end,
      type = case when ${certainty('n.type')} <= ${certainty('excluded.type')} then n.type else excluded.type end
      where ${certainty('n.type')} > ${certainty('excluded.type')}
        or (not n.given and ${shown('n.name')} > ${shown('excluded.name')})`.execute(tx);
};

/** Shows names as what is left of their mentions has them. */
export const nameAnew = (tx: Tx, graph: string, keys: readonly string[]): Promise<unknown> =>
  sql`
    update entity_names n set name = case when n.given then n.name else kept.name end, type = kept.type
    from (select key, ${BEST} from entity_mentions m where graph = ${graph} and key = any(${[...keys]}) group by key)
      as kept (key, name, type)
    where n.graph = ${graph} and n.key = kept.key and (n.name, n.type) is distinct from (kept.name, kept.type)`.execute(
    tx,
  );

const certainty = (column: string) => sql`array_position(${[...ENTITY_TYPES]}::text[], ${sql.ref(column)})`;
const shown = (column: string) => {
  const name = sql.ref(column);
  return sql`((case when ${name} = upper(${name}) then '1' else '0' end) || lpad(length(${name})::text, 4, '0') || ${name})
    collate "C"`;
};

/** Of mentions `m` of one name: the form that is shown, and the type that counts. */
const BEST = sql`(array_agg(m.name order by ${shown('m.name')}))[1], (array_agg(m.type order by ${certainty('m.type')}))[1]`;

/** Nothing stays of what these paragraphs say; gives the names that they had. What a model said of them stays, unless `replies` go too. */
export const eraseMentions = async (
  tx: Tx,
  graph: string,
  paragraphs: readonly string[],
  { replies } = { replies: false },
): Promise<readonly string[]> => {
  if (paragraphs.length === 0) return [];
  const ids = [...paragraphs];
  const { rows } = await sql<{ key: string }>`
    with unmentioned as (
      delete from entity_mentions where graph = ${graph} and paragraph = any(${ids}) returning key
    ), unmerged as (
      delete from entity_merges where graph = ${graph} and paragraph = any(${ids}) returning key
    ), unrelated as (
      delete from entity_relations where graph = ${graph} and paragraph = any(${ids}) returning source
    ), unsaid as (
      delete from entity_replies where ${replies} and paragraph = any(${ids})
    ), unread as (
      delete from entity_read where paragraph = any(${ids})
    )
    select key from unmentioned union select key from unmerged union select source from unrelated`.execute(tx);
  return rows.map(({ key }) => key);
};
