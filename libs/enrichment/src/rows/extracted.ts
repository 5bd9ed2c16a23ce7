import type { ExtractedField, FieldName, Lane, TenantId } from '@postmaster/contracts';
import { publish } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import { comeTo, type Correction } from '../metadata/come-to.js';
import type { ExtractedType } from '../prompt/genre.js';
import type { EnrichmentTables } from './tables.js';
import { goneUpTo } from './tombstones.js';

type Tx = Transaction<EnrichmentTables>;

/** What was extracted of one version. */
export interface ExtractedNow {
  document: string;
  version: number;
  lane: Lane;
  inputHash: string;
  fields: ExtractedField[];
  dropped: number;
  model: string | null;
}

/** Stores what was extracted, unless the version is gone or an older one, and tells what is new of it. */
export const storeExtracted = async (tx: Tx, tenant: TenantId, one: ExtractedNow): Promise<void> => {
  if ((await goneUpTo(tx, tenant, one.document)) >= one.version) return;
  const row = {
    version: one.version,
    input_hash: one.inputHash,
    lane: one.lane,
    fields: JSON.stringify(one.fields),
    dropped: one.dropped,
    model: one.model,
    extracted_at: new Date(),
  };
  const known = await tx
    .selectFrom('extracted')
    .select('version')
    .where('document', '=', one.document)
    .executeTakeFirst();
  if (known && known.version > one.version) return;
  if (known) await tx.updateTable('extracted').set(row).where('document', '=', one.document).execute();
  else {
    const { extracted_at: _, ...first } = row;
    await tx
      .insertInto('extracted')
      .values({ tenant, document: one.document, ...first, shown: '[]', filters: '{}', dated: null })
      .execute();
  }
  await bringUpToDate(tx, tenant, one.document);
};

/** A document without a row has no metadata yet; false then. Corrections last over versions and extractions. */
export const storeCorrections = async (
  tx: Tx,
  tenant: TenantId,
  document: string,
  { corrections, taken, by }: { corrections: readonly Correction[]; taken: readonly string[]; by: string },
): Promise<boolean> => {
  await goneUpTo(tx, tenant, document); // waits for whoever erases or extracts
  if (!(await tx.selectFrom('extracted').select('document').where('document', '=', document).executeTakeFirst()))
    return false;
  if (taken.length > 0)
    await tx
      .deleteFrom('corrections')
      .where('document', '=', document)
      .where('name', 'in', [...taken])
      .execute();
  for (const { name, value } of corrections) {
    const row = { value: value === null ? null : JSON.stringify(value), corrected_by: by };
    await tx
      .insertInto('corrections')
      .values({ tenant, document, name, ...row })
      .onConflict((conflict) => conflict.columns(['tenant', 'document', 'name']).doUpdateSet(row))
      .execute();
  }
  await bringUpToDate(tx, tenant, document);
  return true;
};

/** Works out what a document's metadata come to, and tells what filters use where that changed. */
const bringUpToDate = async (tx: Tx, tenant: TenantId, document: string): Promise<void> => {
  const row = await tx.selectFrom('extracted').selectAll().where('document', '=', document).executeTakeFirstOrThrow();
  const { shown, filters, date } = comeTo(row.fields, await correctionsOf(tx, document));
  const changed = JSON.stringify([filters, date]) !== JSON.stringify([row.filters, row.dated]);
  const revision = row.revision + (changed ? 1 : 0);
  const values = { shown: JSON.stringify(shown), filters: JSON.stringify(filters), dated: date, revision };
  await tx.updateTable('extracted').set(values).where('document', '=', document).execute();
  if (!changed) return;
  const { version, lane } = row;
  await publish(tx, tenant, 'metadata.extracted', { document, version, lane, revision, values: filters, date });
};

const correctionsOf = async (tx: Tx, document: string): Promise<Correction[]> => {
  const rows = await tx.selectFrom('corrections').select(['name', 'value']).where('document', '=', document).execute();
  return rows.map(({ name, value }) => ({ name: name as FieldName, value })); // storeCorrections' names
};

/** What a document is, as far as that is extracted or corrected by hand. */
export const extractedType = async (tx: Tx, document: string): Promise<ExtractedType | undefined> => {
  const row = await tx.selectFrom('extracted').select('shown').where('document', '=', document).executeTakeFirst();
  const field = row?.shown.find(({ name }) => name === 'type');
  return typeof field?.value === 'string' ? { type: field.value, byPerson: field.from === 'person' } : undefined;
};

/** Lets a document be extracted anew though nothing of it has changed; gives its version, where it was extracted. */
export const forgetInput = async (tx: Tx, document: string): Promise<number | undefined> => {
  const row = await tx
    .updateTable('extracted')
    .set({ input_hash: '' })
    .where('document', '=', document)
    .returning('version')
    .executeTakeFirst();
  return row?.version;
};

/** What was extracted of these documents before, and from what. */
export const inputsOf = async (tx: Tx, documents: readonly string[]): Promise<Map<string, string>> => {
  const rows = await tx
    .selectFrom('extracted')
    .select(['document', 'version', 'input_hash'])
    .where('document', 'in', [...documents, ''])
    .execute();
  return new Map(rows.map(({ document, version, input_hash }) => [document, `${version} ${input_hash}`]));
};

/** Nothing of a document stays but, of one that has a newer version, what that has. */
export const eraseExtracted = async (tx: Tx, document: string, version: number): Promise<void> => {
  const { rows } = await sql<{ gone: boolean }>`
    with gone as (delete from extracted where document = ${document} and version <= ${version} returning document)
    select exists (select from gone) or not exists (select from extracted where document = ${document}) as gone`.execute(
    tx,
  );
  if (!rows[0]?.gone) return;
  for (const table of ['corrections', 'metadata_replies'] as const)
    await tx.deleteFrom(table).where('document', '=', document).execute();
};
