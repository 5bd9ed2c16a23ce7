import type { Lane, TenantId } from '@postmaster/contracts';
import { publish } from '@postmaster/durable';
import type { Transaction } from 'kysely';
import { costOf } from '../cost-of.js';
import type { TokenUsage } from '../facet-model.js';
import type { DocumentSummary } from '../summary/summary-model.js';
import { SummaryReply } from '../summary/summary-reply.js';
import type { EnrichmentTables } from './tables.js';
import { goneUpTo } from './tombstones.js';

type Tx = Transaction<EnrichmentTables>;

/** Summarises a document, a job each. */
export const SUMMARIZE_DOCUMENT = 'enrichment.summarize-document';

export interface SummaryNow extends DocumentSummary {
  document: string;
  version: number;
  lane: Lane;
  /** Of what it was made from. */
  inputHash: string;
  model: string;
  promptVersion: string;
  /** The replies that it was made of; others of the document go. */
  replies: readonly string[];
}

/** Of a text without sentences the paragraph may be as long as an event can't be: code points of it that are told. */
const MOST_TOLD = 2_500;

/** Stores a summary, unless its version is gone or an older one, and tells of its paragraph where that is new. */
export const storeSummary = async (tx: Tx, tenant: TenantId, one: SummaryNow): Promise<void> => {
  const { document, version, lane, paragraph } = one;
  if ((await goneUpTo(tx, tenant, document)) >= version) return;
  const known = await tx.selectFrom('summaries').selectAll().where('document', '=', document).executeTakeFirst();
  if (known && known.version > version) return;
  const told = known?.version === version && known.paragraph === paragraph;
  const revision = (known?.revision ?? 0) + (told ? 0 : 1);
  const row = {
    ...{ version, input_hash: one.inputHash, points: JSON.stringify(one.points), paragraph, revision },
    ...{ model: one.model, prompt_version: one.promptVersion },
  };
  await tx
    .insertInto('summaries')
    .values({ tenant, document, ...row })
    .onConflict((conflict) => conflict.columns(['tenant', 'document']).doUpdateSet(row))
    .execute();
  await tx
    .deleteFrom('summary_replies')
    .where('document', '=', document)
    .where('input_hash', 'not in', [...one.replies, ''])
    .execute();
  if (told) return;
  const begins = [...paragraph].slice(0, MOST_TOLD).join('');
  await publish(tx, tenant, 'summary.made', { document, version, lane, revision, paragraph: begins });
};

/** What these documents' summaries were made of. */
export const summaryInputs = async (tx: Tx, documents: readonly string[]): Promise<Map<string, string>> => {
  const rows = await tx
    .selectFrom('summaries')
    .select(['document', 'version', 'input_hash'])
    .where('document', 'in', [...documents, ''])
    .execute();
  return new Map(rows.map(({ document, version, input_hash }) => [document, `${version} ${input_hash}`]));
};

/** A reply that came for this input before; the lease of a document's one job is the claim to ask for it. */
export const keptSummaryReply = async (
  tx: Tx,
  document: string,
  inputHash: string,
): Promise<DocumentSummary | undefined> => {
  const row = await tx
    .selectFrom('summary_replies')
    .select('reply')
    .where('document', '=', document)
    .where('input_hash', '=', inputHash)
    .executeTakeFirst();
  return row && SummaryReply.parse(row.reply);
};

/** Keeps a reply, and tells what it cost in the same transaction. */
export const keepSummaryReply = async (
  tx: Tx,
  tenant: TenantId,
  of: { document: string; version: number },
  inputHash: string,
  { model, reply, usage }: { model: string; reply: DocumentSummary; usage: TokenUsage },
): Promise<void> => {
  await publish(tx, tenant, 'model.called', costOf('summaries', of, model, usage));
  if ((await goneUpTo(tx, tenant, of.document)) >= of.version) return; // erased meanwhile
  await tx
    .insertInto('summary_replies')
    .values({ tenant, document: of.document, input_hash: inputHash, reply: JSON.stringify(reply) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Nothing of a document stays but, of one that has a newer version, what that has. */
export const eraseSummary = async (tx: Tx, document: string, version: number): Promise<void> => {
  await tx.deleteFrom('summaries').where('document', '=', document).where('version', '<=', version).execute();
  const newer = await tx.selectFrom('summaries').select('document').where('document', '=', document).executeTakeFirst();
  if (!newer) await tx.deleteFrom('summary_replies').where('document', '=', document).execute();
};
