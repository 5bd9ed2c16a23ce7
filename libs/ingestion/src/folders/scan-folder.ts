import {
  CodedError,
  done,
  type Failure,
  failure,
  failureOf,
  later,
  type Outcome,
  type TenantId,
} from '@postmaster/contracts';
import type { Finished, Job } from '@postmaster/durable';
import { noteFile, noteGone, noteScanned, readFiles, readFolders } from '../rows/folders.js';
import type { IngestionTables } from '../rows/tables.js';
import { chooseFiles } from './choose-files.js';
import { compareFiles, type FileChanges, isSettled } from './compare-files.js';
import type { FolderListing, FoundFile } from './folder-files.js';
import type { Folder } from './folder.js';
import { takeFile, type TakePorts } from './take-file.js';

export interface ScanPorts extends TakePorts {
  remove: (tenant: TenantId, id: string) => Promise<boolean>;
  /** A file that changed less long ago may still be being written; 2 s. */
  settleMs?: number;
}

const FILES_AT_ONCE = 4;

/**
 * Looks at a folder once: what is new or changed is taken in, what is gone is noted, and what is still being written is
 * looked at again soon. An unchanged file costs a look. Safe to run again after a kill, and beside itself.
 */
export const scanFolder =
  (ports: ScanPorts) =>
  async (tenant: TenantId, [job]: readonly Job[], signal: AbortSignal): Promise<Finished<IngestionTables>> => {
    if (!job) return { outcomes: new Map() };
    const { db } = ports;
    const [folder] = await db.asTenant(tenant, (tx) => readFolders(tx, job.key));
    const settled = (outcome: Outcome) => ({ outcomes: new Map([[job.id, outcome]]) });
    if (!folder) return settled(done());
    if (folder.removing) {
      await removeFolder(ports, tenant, folder.id, signal);
      return settled(done());
    }
    const { waiting, failure } = await scan(ports, tenant, folder, signal);
    const outcome = waiting > 0 ? later(settleMsOf(ports), beingWritten(waiting)) : done();
    return { ...settled(outcome), store: async (tx) => void (await noteScanned(tx, folder.id, ports.now(), failure)) };
  };

const settleMsOf = ({ settleMs = 2_000 }: ScanPorts): number => settleMs;

const beingWritten = (files: number): Failure => failure('SOURCE_CHANGED', `${files} files are still being written.`);

interface Scanned {
  /** Files that are still being written. */
  waiting: number;
  failure: Failure | null;
}

const scan = async (ports: ScanPorts, tenant: TenantId, folder: Folder, signal: AbortSignal): Promise<Scanned> => {
  let listing: FolderListing;
  try {
    listing = await ports.files.list(tenant, folder.path, chooseFiles(folder), signal);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { waiting: 0, failure: error.toFailure() }; // nothing is gone because a disk is not there
  }
  const known = await ports.db.asTenant(tenant, (tx) => readFiles(tx, folder.id));
  const isEmptied = listing.isEmpty && [...known.values()].some(({ state }) => state !== 'gone');
  if (isEmptied) return { waiting: 0, failure: emptied(folder.path) };
  const { fresh, gone }: FileChanges = compareFiles(listing, known);
  const ready = fresh.filter((file) => isSettled(file, Date.now(), settleMsOf(ports)));
  let waiting = fresh.length - ready.length;
  await inTurns(ready, async (file) => {
    signal.throwIfAborted();
    if (!(await take(ports, tenant, folder, file, signal))) waiting++;
  });
  for (const path of gone) await giveUp(ports, tenant, folder, path);
  return { waiting, failure: partly(listing) };
};

/** False where it is still being written. What can't be taken in is noted with its reason, and not tried until it changes. */
const take = async (
  ports: ScanPorts,
  tenant: TenantId,
  folder: Folder,
  file: FoundFile,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    await takeFile(ports)(tenant, folder, file.path, signal);
    return true;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (MOVING.has(error.code)) return false;
    if (error.status >= 500 || error.code === 'CONFLICT') throw error; // the system's fault, not the file's
    await ports.db.asTenant(tenant, (tx) => noteFile(tx, tenant, folder.id, file, { failure: failureOf(error) }));
    return true;
  }
};

/** An empty place is what a disk leaves that is not mounted: nothing is deleted for that. */
const emptied = (path: string): Failure =>
  failure(
    'FOLDER_UNREADABLE',
    `The folder "${path}" has nothing in it any more, as where a disk is not mounted.`,
    'Mount it where it is missing. If it was emptied on purpose, take the folder out: its documents go with it.',
  );

/** It changed under the reader, or went. */
const MOVING: ReadonlySet<string> = new Set(['SOURCE_CHANGED', 'SOURCE_GONE', 'UPLOAD_BROKEN']);

const giveUp = async (
  { db, remove, now }: ScanPorts,
  tenant: TenantId,
  folder: Folder,
  path: string,
): Promise<void> => {
  const document = await db.asTenant(tenant, (tx) => noteGone(tx, tenant, folder, path, now()));
  if (document) await remove(tenant, document);
};

const inTurns = async <T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> => {
  const left = items.values();
  await Promise.all(
    Array.from({ length: FILES_AT_ONCE }, async () => {
      for (const item of left) await act(item);
    }),
  );
};

/** What of it could not be looked at. */
const partly = ({ unread, leaving }: FolderListing): Failure | null => {
  if (unread.length > 0)
    return failure('FOLDER_UNREADABLE', `${unread.length} of its folders can not be read, as "${unread[0]}".`);
  if (leaving.length === 0) return null;
  const [first] = leaving;
  const next = 'Add the folder that they lead to, where the operator allows it.';
  return failure('FOLDER_REFUSED', `${leaving.length} links lead out of it, as "${first}", and are not read.`, next);
};

/** Deletes its documents, then its row: what is killed on the way goes on from there. */
const removeFolder = async (
  { db, remove }: ScanPorts,
  tenant: TenantId,
  folder: string,
  signal: AbortSignal,
): Promise<void> => {
  for (const { path, document } of (await db.asTenant(tenant, (tx) => readFiles(tx, folder))).values()) {
    signal.throwIfAborted();
    if (document) await remove(tenant, document);
    await db.asTenant(tenant, (tx) =>
      tx.deleteFrom('folder_files').where('folder', '=', folder).where('path', '=', path).execute(),
    );
  }
  await db.asTenant(tenant, (tx) => tx.deleteFrom('folders').where('id', '=', folder).execute());
};
