import { CodedError, failureOf, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { unlessDeleted } from './accept-document.js';
import type { FoundAttachment, KeepAttachment, ParsedDocument } from './block.js';
import type { BlobStore } from './blob-store.js';
import { reserveAttachment, type StoredAttachment } from './rows/attachments.js';
import type { IngestionTables } from './rows/tables.js';

interface KeepPorts {
  db: Database<IngestionTables>;
  blobs: BlobStore;
  maxBytes: number;
}

/** Of all that is found in one document and in what is found in that. */
export const TREE = { depth: 3, files: 1_000, bytes: 4 * 1024 ** 3 } as const;

/** Names that are told in a parent's metadata, which goes into every event of it. */
const MAX_LETTERS = 1_000;

export interface KeptAttachments {
  keep: KeepAttachment;
  readonly stored: readonly StoredAttachment[];
  /** What a reader is told of the files: how many, which, and which can't be had. */
  facts(found: readonly FoundAttachment[]): ParsedDocument['metadata'];
}

/** What is being read was deleted or replaced meanwhile. */
export class Superseded extends Error {}

/** Stores the files found within a document, as far as `tree` leaves room for them. `keep` throws Superseded. One that is empty or too large is left out and told of. */
export const keepAttachments = (
  { db, blobs, maxBytes }: KeepPorts,
  tenant: TenantId,
  parent: { id: string; version: number },
  tree: { files: number; bytes: number },
): KeptAttachments => {
  const stored: StoredAttachment[] = [];
  const refused = new Map<string, string>();
  let files = TREE.files - tree.files;
  let bytes = TREE.bytes - tree.bytes;
  return {
    stored,
    keep: async (attachment, stream) => {
      try {
        if (attachment.bytes === 0) throw new CodedError('EMPTY_FILE', `"${attachment.name}" has no bytes.`);
        if (--files < 0 || (bytes -= attachment.bytes) < 0)
          throw new CodedError('ARCHIVE_TOO_LARGE', 'Too much is in the mails and archives around it.');
        const blob = await blobs.put(tenant, stream, { maxBytes });
        const reserve = () => db.asTenant(tenant, (tx) => reserveAttachment(tx, tenant, parent, blob));
        if (!(await unlessDeleted(blobs, tenant, blob.hash, reserve))) throw new Superseded();
        stored.push({ ...attachment, hash: blob.hash });
      } catch (error) {
        stream.destroy();
        if (!(error instanceof CodedError) || !LEFT_OUT.has(error.code)) throw error;
        refused.set(attachment.path, failureOf(error).code);
      }
    },
    facts: (found) => {
      if (found.length === 0) return {};
      for (const { path, failure } of found) if (failure) refused.set(path, failure.code);
      const names = listed(found.map(({ path }) => path));
      const left = listed([...refused].map(([path, code]) => `${path} (${code})`));
      return { attachments: found.length, attachmentNames: names, ...(left && { attachmentsLeftOut: left }) };
    },
  };
};

/** The file's own fault or the tree's; anything else is the system's, and is tried again. */
const LEFT_OUT: ReadonlySet<string> = new Set(['EMPTY_FILE', 'TOO_LARGE', 'ARCHIVE_TOO_LARGE']);

const listed = (names: readonly string[]): string => {
  let text = '';
  for (const [index, name] of names.entries()) {
    const longer = text === '' ? name : `${text}; ${name}`;
    if (longer.length > MAX_LETTERS) return `${text}; … +${names.length - index}`;
    text = longer;
  }
  return text;
};
