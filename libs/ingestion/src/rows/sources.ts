import { CodedError } from '@postmaster/contracts';
import type { Selectable, Transaction } from 'kysely';
import type { FileReference } from '../folders/folder.js';
import type { DocumentRow, IngestionTables } from './tables.js';

/** A file that a document stands in, with its folder's path. */
export interface SourceFile extends FileReference {
  root: string;
  /** Of its bytes when it was as the reference says. Hex SHA-256. */
  hash: string;
}

/** Where a document's bytes stand; undefined where they are stored. Throws SOURCE_GONE where its folder was taken out. */
export const sourceOf = async (
  tx: Transaction<IngestionTables>,
  { reference, name, blob_hash: hash }: Pick<Selectable<DocumentRow>, 'reference' | 'name' | 'blob_hash'>,
): Promise<SourceFile | undefined> => {
  if (!reference || !hash) return undefined;
  const folder = await tx
    .selectFrom('folders')
    .select('path')
    .where('id', '=', reference.folder)
    .where('removing', '=', false)
    .executeTakeFirst();
  if (!folder) throw new CodedError('SOURCE_GONE', `The folder of the file "${name}" is read no longer.`);
  return { ...reference, root: folder.path, hash };
};
