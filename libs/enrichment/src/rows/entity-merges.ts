import type { TenantId } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import { comeTogether, type Merge } from '../entities/come-together.js';
import { type EntityType, ENTITY_TYPES } from '../entities/entity.js';
import { genitiveOf, NAMED, sameNames } from '../entities/same-names.js';
import { entityId, type FoundInParagraph, nameAnew } from './entity-mentions.js';
import type { EnrichmentTables } from './tables.js';

type Tx = Transaction<EnrichmentTables>;

interface NoteOfMerge extends Merge {
  document: string;
  paragraph: string;
}

/**
 * Brings together what these documents name in several ways, after their mentions were stored. Reasons that lie in the
 * forms of a document's names are found anew, as another of its paragraphs may take one away.
 */
export const mergeNames = async (
  tx: Tx,
  tenant: TenantId,
  graph: string,
  found: readonly FoundInParagraph[],
): Promise<void> => {
  const documents = [...new Set(found.map(({ document }) => document))];
  const { rows } = await sql<{ document: string; key: string; type: EntityType; paragraph: string }>`
    select document, key, min(paragraph) as paragraph,
      (array_agg(type order by array_position(${[...ENTITY_TYPES]}::text[], type)))[1] as type
    from entity_mentions where graph = ${graph} and document = any(${documents}) group by document, key`.execute(tx);
  const notes: NoteOfMerge[] = found.flatMap(({ paragraph, document, told }) =>
    told.map((one) => ({ ...one, why: 'told' as const, document, paragraph })),
  );
  for (const document of documents)
    for (const same of sameNames(rows.filter((row) => row.document === document))) notes.push({ ...same, document });
  const { rows: before } = await sql<{ key: string }>`
    delete from entity_merges where graph = ${graph} and document = any(${documents})
      and why in ('abbreviation', 'initials', 'surname') returning key`.execute(tx);
  notes.push(...(await genitivesAmong(tx, graph, rows)));
  await noteMerges(tx, tenant, graph, notes);
  await settleNames(
    tx,
    graph,
    [...before, ...notes].map(({ key }) => key),
  );
};

/** Genitives of other names, whichever document has those; and those that are genitives of these. */
const genitivesAmong = async (
  tx: Tx,
  graph: string,
  names: readonly { key: string; type: EntityType }[],
): Promise<NoteOfMerge[]> => {
  const keys = new Set(names.filter(({ type }) => NAMED.has(type)).map(({ key }) => key));
  const pairs = [...keys].flatMap((key) => {
    const [base, genitive] = [genitiveOf(key), `${key}s`];
    return [
      ...(base === undefined ? [] : [{ key, into: base }]),
      ...(genitiveOf(genitive) === key ? [{ key: genitive, into: key }] : []),
    ];
  });
  if (pairs.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    select key from entity_names where graph = ${graph} and type <> all(array['date', 'code'])
      and key = any(${pairs.flatMap(({ key, into }) => [key, into])})`.execute(tx);
  const known = new Set(rows.map(({ key }) => key));
  return pairs
    .filter(({ key, into }) => known.has(key) && known.has(into))
    .map((pair) => ({ ...pair, why: 'genitive', document: '', paragraph: '' }));
};

export const noteMerges = async (
  tx: Tx,
  tenant: TenantId,
  graph: string,
  notes: readonly NoteOfMerge[],
): Promise<void> => {
  if (notes.length === 0) return;
  await sql`
    insert into entity_merges (tenant, graph, key, into_key, why, document, paragraph)
    select ${tenant}, ${graph}, key, "into", why, document, paragraph
    from json_to_recordset(${JSON.stringify(notes)}::json)
      as m(key text, "into" text, why text, document text, paragraph text)
    on conflict do nothing`.execute(tx);
};

/** Works out which entity these names, and those that hang together with them, belong to. */
export const settleNames = async (tx: Tx, graph: string, keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return;
  const ids = keys.map((key) => entityId(graph, key));
  const { rows } = await sql<{ key: string; entity: string | null; merges: Merge[] | null }>`
    with recursive reach(key) as (
      select key from entity_names where graph = ${graph} and (key = any(${[...new Set(keys)]}) or entity = any(${ids}))
      union
      select next.key from reach cross join lateral (
        select into_key as key from entity_merges where graph = ${graph} and key = reach.key
        union select key from entity_merges where graph = ${graph} and into_key = reach.key
      ) as next
    )
    select reach.key, n.entity, (
      select json_agg(distinct jsonb_build_object('key', m.key, 'into', m.into_key, 'why', m.why))
      from entity_merges m where m.graph = ${graph} and m.key = reach.key
    ) as merges
    from reach left join entity_names n on n.graph = ${graph} and n.key = reach.key`.execute(tx);
  const names = rows.filter(({ entity }) => entity !== null);
  const roots = comeTogether(
    new Set(names.map(({ key }) => key)),
    rows.flatMap(({ merges }) => merges ?? []),
  );
  const changed = names.flatMap(({ key, entity }) => {
    const root = entityId(graph, roots.get(key) ?? key);
    return root === entity ? [] : [{ key, entity: root }];
  });
  if (changed.length === 0) return;
  await sql`
    update entity_names n set entity = c.entity
    from json_to_recordset(${JSON.stringify(changed)}::json) as c(key text, entity text)
    where n.graph = ${graph} and n.key = c.key`.execute(tx);
};

/**
 * Names that no paragraph has any more, and nobody gave, go. A person's word on one stays while it may come back
 * (`mayReturn`: in a newer version), and goes with the document.
 */
export const dropUnnamed = async (
  tx: Tx,
  graph: string,
  keys: readonly string[],
  { mayReturn }: { mayReturn: boolean },
): Promise<void> => {
  const held = sql`(n.given or exists (select from entity_mentions m where m.graph = ${graph} and m.key = n.key))`;
  const looked = new Set(keys);
  if (!mayReturn) {
    const { rows } = await sql<{ key: string; into_key: string }>`
      delete from entity_merges w where w.graph = ${graph} and w.why = 'hand' and exists (
        select from entity_names n where n.graph = ${graph} and n.key in (w.key, w.into_key) and not ${held})
      returning key, into_key`.execute(tx);
    for (const row of rows) looked.add(row.key).add(row.into_key);
  }
  const { rows } = await sql<{ key: string }>`
    delete from entity_names n where n.graph = ${graph} and n.key = any(${[...looked]}) and not ${held}
      and not exists (select from entity_merges w where w.graph = ${graph} and w.why = 'hand' and n.key in (w.key, w.into_key))
    returning key`.execute(tx);
  const gone = rows.map(({ key }) => key);
  if (gone.length > 0)
    await sql`delete from entity_merges where graph = ${graph} and (key = any(${gone}) or into_key = any(${gone}))`.execute(
      tx,
    );
  await nameAnew(tx, graph, [...looked]);
  await settleNames(tx, graph, [...looked]);
};
