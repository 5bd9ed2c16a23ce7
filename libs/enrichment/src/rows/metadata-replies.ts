import type { TenantId } from '@postmaster/contracts';
import { publish } from '@postmaster/durable';
import type { Transaction } from 'kysely';
import { costOf } from '../cost-of.js';
import type { TokenUsage } from '../facet-model.js';
import { MetadataReply } from '../metadata/metadata-reply.js';
import type { EnrichmentTables } from './tables.js';
import { goneUpTo } from './tombstones.js';

type Tx = Transaction<EnrichmentTables>;

/** A reply that came for this input before; the lease of a document's one job is the claim to ask for it. */
export const keptReply = async (tx: Tx, document: string, inputHash: string): Promise<MetadataReply | undefined> => {
  const row = await tx
    .selectFrom('metadata_replies')
    .select('reply')
    .where('document', '=', document)
    .where('input_hash', '=', inputHash)
    .executeTakeFirst();
  return row && MetadataReply.parse(row.reply);
};

/** Keeps a reply and tells what it cost; the ones for what the document was before go. */
export const keepMetadataReply = async (
  tx: Tx,
  tenant: TenantId,
  { document, version }: { document: string; version: number },
  inputHash: string,
  { model, reply, usage }: { model: string; reply: MetadataReply; usage: TokenUsage },
): Promise<void> => {
  await publish(tx, tenant, 'model.called', costOf('metadata', { document, version }, model, usage));
  if ((await goneUpTo(tx, tenant, document)) >= version) return; // erased meanwhile
  await tx.deleteFrom('metadata_replies').where('document', '=', document).execute();
  const tokens = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
  await tx
    .insertInto('metadata_replies')
    .values({ tenant, document, input_hash: inputHash, reply: JSON.stringify(reply), ...tokens })
    .execute();
};
