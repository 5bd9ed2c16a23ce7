import type { Lane, TenantId } from '@postmaster/contracts';
import { enqueue, publish } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import { costOf } from '../cost-of.js';
import type { PassageReply } from '../entities/entity-reply.js';
import type { PaidReply } from '../pay-for-reply.js';
import { FIND_ENTITIES } from './paragraphs.js';
import type { EnrichmentTables } from './tables.js';
import { goneUpTo } from './tombstones.js';

type Tx = Transaction<EnrichmentTables>;

/** Asks a model what a document's paragraphs name, a job each. */
export const ASK_ENTITIES = 'enrichment.ask-entities';

/** A paragraph that a model is to be asked about. */
export interface Unasked {
  id: string;
  title: string;
  text: string;
  language: string | null;
}

/** A document's paragraphs that no model was asked about, or that are wanted anew, in their order. */
export const readUnasked = (tx: Tx, document: string, most: number): Promise<Unasked[]> =>
  tx
    .selectFrom('paragraphs as p')
    .leftJoin('entity_replies as e', 'e.paragraph', 'p.id')
    .select(['p.id', 'p.title', 'p.text', 'p.language'])
    .where('p.document', '=', document)
    .where('p.text', '<>', '')
    .where(sql<boolean>`(e.paragraph is null or e.wanted_anew)`)
    .orderBy('p.position')
    .orderBy('p.id')
    .limit(most)
    .execute();

export interface OfDocument {
  document: string;
  version: number;
  lane: Lane;
}

/** What a model said of paragraphs; nothing of one that it was given up for. */
export interface SaidOfParagraphs {
  said: readonly { id: string; reply: PassageReply }[];
  model: string;
  promptVersion: string;
}

/** Keeps what is said of each paragraph that is there, in place of what was, and has it brought into the graph. */
export const keepEntityReplies = async (
  tx: Tx,
  tenant: TenantId,
  of: OfDocument,
  { said, model, promptVersion }: SaidOfParagraphs,
): Promise<void> => {
  const { document, version, lane } = of;
  if ((await goneUpTo(tx, tenant, document)) >= version) return; // erased meanwhile
  const rows = said.map(({ id, reply }) => ({ id, reply }));
  await sql`
    insert into entity_replies as e (tenant, paragraph, document, reply, model, prompt_version)
    select ${tenant}, s.id, ${document}, s.reply, ${model}, ${promptVersion}
    from json_to_recordset(${JSON.stringify(rows)}::json) as s(id text, reply json)
    join paragraphs p on p.id = s.id and p.document = ${document} and p.text <> ''
    on conflict (tenant, paragraph) do update set reply = excluded.reply, model = excluded.model,
      prompt_version = excluded.prompt_version, revision = e.revision + 1, wanted_anew = false`.execute(tx);
  await enqueue(tx, tenant, [{ kind: FIND_ENTITIES, key: document, document, version, lane }]);
};

/** The same, and what it cost in the same transaction. */
export const keepPaidEntities = async (
  tx: Tx,
  tenant: TenantId,
  of: OfDocument,
  { model, usage }: Omit<PaidReply<unknown>, 'reply'>,
  said: Omit<SaidOfParagraphs, 'model'>,
): Promise<void> => {
  await publish(tx, tenant, 'model.called', costOf('entities', of, model, usage));
  await keepEntityReplies(tx, tenant, of, { ...said, model });
};

/**
 * Has a model asked about a document's paragraphs that it was not, and anew where another one answered, or another prompt
 * was told. What was said before counts until that is in.
 */
export const wantEntitiesAnew = async (
  tx: Tx,
  tenant: TenantId,
  { document, version, lane }: OfDocument,
  now: { model: string; promptVersions: readonly string[] },
): Promise<void> => {
  await tx
    .updateTable('entity_replies')
    .set({ wanted_anew: true })
    .where('document', '=', document)
    .where((or) => or.or([or('model', '<>', now.model), or('prompt_version', 'not in', [...now.promptVersions])]))
    .execute();
  await enqueue(tx, tenant, [{ kind: ASK_ENTITIES, key: document, document, version, lane }]);
};
