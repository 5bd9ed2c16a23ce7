import { sql, type Transaction } from 'kysely';
import type { Target } from './indexes.js';
import { INDEX_FACETS, INDEX_TEXT, SWAP } from './keep-newer.js';
import { columnsOf } from './marks.js';
import type { EmbeddingTables } from './tables.js';

type Tx = Transaction<EmbeddingTables>;

/** What a row says of its point in one index. */
export interface RowState {
  id: string;
  revision: string;
  erased: boolean;
  /** A part of it was written. */
  begun: boolean;
  /** All parts were written as they are now. */
  whole: boolean;
  /** When it was written; whatever writes it moves this. */
  at: string | null;
  /** A job is going to see to it. */
  waits: boolean;
  /** A job for it became a dead letter, which the operator has. */
  givenUp: boolean;
}

/** The states of these rows, or of the next ones after an id, in the order of their ids. */
export const readStates = async (
  tx: Tx,
  target: Target,
  which: { ids: readonly string[] } | { after: string; most: number },
): Promise<RowState[]> => {
  const { index, text, facets, at } = columnsOf(target);
  const here = sql`${index} = ${target.mark}`;
  const those =
    'ids' in which
      ? sql`p.id = any(${[...which.ids]}::text[]) order by p.id`
      : sql`p.id > ${which.after} order by p.id limit ${which.most}`;
  const { rows } = await sql<RowState>`
    select p.id, p.revision, p.erased, ${at}::text as at,
      coalesce(${here} and (${text} is not null or ${facets} is not null), false) as begun,
      coalesce(${here} and ${text} = p.text_hash
        and (coalesce(p.facets::text, 'null') = 'null' or coalesce(${facets} = p.facets_revision, false)), false) as whole,
      exists (select 1 from jobs where kind in (${INDEX_TEXT}, ${INDEX_FACETS}) and key = p.id)
        or exists (select 1 from jobs where kind = ${SWAP} and key = p.document) as waits,
      exists (select 1 from dead_letters
        where source = 'job' and name in (${INDEX_TEXT}, ${INDEX_FACETS}) and key = p.id) as "givenUp"
    from paragraphs p where ${those}`.execute(tx);
  return rows;
};

/** Takes away what these rows say was written, where they did not move since they were read; gives the ids of those. */
export const forgetWritten = async (tx: Tx, target: Target, states: readonly RowState[]): Promise<string[]> => {
  const { text, facets, at } = columnsOf(target);
  const seen = states.map(({ id, revision, at }) => ({ id, revision, seen_at: at }));
  const { rows } = await sql<{ id: string }>`
    update paragraphs set ${text} = null, ${facets} = null
    from json_to_recordset(${JSON.stringify(seen)}::json) as s(id text, revision bigint, seen_at text)
    where paragraphs.id = s.id and paragraphs.revision = s.revision and ${at}::text is not distinct from s.seen_at
      and not erased
    returning paragraphs.id`.execute(tx);
  return rows.map(({ id }) => id);
};
