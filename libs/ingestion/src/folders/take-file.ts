import { createHash } from 'node:crypto';
import { basename } from 'node:path/posix';
import { pathToFileURL } from 'node:url';
import { CodedError, type NewId, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import type { AcceptDocument } from '../accept-document.js';
import type { GivenDocument } from '../document.js';
import { acceptRow } from '../rows/documents.js';
import { noteFile } from '../rows/folders.js';
import type { IngestionTables } from '../rows/tables.js';
import type { FolderFiles } from './folder-files.js';
import type { Folder } from './folder.js';

export interface TakePorts {
  db: Database<IngestionTables>;
  files: FolderFiles;
  accept: AcceptDocument;
  maxBytes: number;
  now: () => Date;
  newId: NewId;
}

/**
 * Makes a file a document, or a new version of the one it is: its bytes are stored, or in reference mode only what tells
 * where they stand. Throws SOURCE_CHANGED and UPLOAD_BROKEN where it is being written, SOURCE_GONE, EMPTY_FILE, TOO_LARGE.
 */
export const takeFile =
  ({ db, files, accept, maxBytes, now, newId }: TakePorts) =>
  async (tenant: TenantId, folder: Folder, path: string, signal: AbortSignal): Promise<void> => {
    const { bytes, ...state } = await files.open(tenant, folder.path, path);
    const given = givenOf(folder, path);
    if (folder.mode === 'content') {
      const { document } = await accept(tenant, given, bytes, signal);
      await db.asTenant(tenant, async (tx) => {
        const row = await tx.selectFrom('documents').select('blob_hash').where('id', '=', document).executeTakeFirst();
        await noteFile(tx, tenant, folder.id, { path, ...state }, { document, hash: row?.blob_hash ?? '' });
      });
      return;
    }
    if (state.size === 0) throw new CodedError('EMPTY_FILE', `"${given.name}" has no bytes.`);
    if (state.size > maxBytes)
      throw new CodedError('TOO_LARGE', `The file is larger than ${maxBytes.toLocaleString('en')} bytes.`);
    const hash = createHash('sha256');
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      hash.update(chunk as Buffer); // the stream has no encoding
    }
    const blob = { hash: hash.digest('hex'), bytes: state.size };
    await db.asTenant(tenant, async (tx) => {
      const reference = { folder: folder.id, path, ...state };
      const { document } = await acceptRow(tx, tenant, { ...given, reference }, blob, now(), newId);
      await noteFile(tx, tenant, folder.id, { path, ...state }, { document, hash: blob.hash });
    });
  };

/** The same identity as the command line gives the file. */
const givenOf = (folder: Pick<Folder, 'path' | 'collection' | 'metadata'>, path: string): GivenDocument => {
  const whole = `${folder.path}/${path}`;
  return {
    sourceType: 'file',
    sourceId: whole.replaceAll('\\', '/').normalize('NFC'),
    sourceUri: pathToFileURL(whole).href,
    collection: folder.collection,
    metadata: folder.metadata,
    name: basename(path).normalize('NFC'),
    lane: 'bulk',
  };
};
