import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { CodedError, type TenantId } from '@postmaster/contracts';
import type { FileState, FolderFiles } from '@postmaster/ingestion';
import { isWithin } from './is-within.js';
import { listFiles, unreadable } from './list-files.js';
import { watchFolder } from './watch-folder.js';

/** A folder whose subfolders may be read; for one tenant, or for all. */
export interface FolderRoot {
  path: string;
  tenant?: TenantId;
}

export interface FolderFilesOptions {
  /** Absolute. None: no folder is allowed. */
  roots: readonly FolderRoot[];
  /** Of all folders together; 8,192. */
  mostWatched?: number;
}

interface Opened {
  handle: FileHandle;
  /** Without links. */
  real: string;
  facts: Stats;
}

/** Files below the operator's roots. Every path is resolved anew before it is used, and what was opened is looked at again. */
export const folderFiles = ({ roots, mostWatched = 8_192 }: FolderFilesOptions): FolderFiles => {
  const budget = { left: mostWatched };

  const allowed = async (tenant: TenantId, folder: string): Promise<boolean> => {
    for (const root of roots) {
      if (root.tenant !== undefined && root.tenant !== tenant) continue;
      const real = await realpath(root.path).catch(() => undefined);
      if (real !== undefined && isWithin(real, folder)) return true;
    }
    return false;
  };
  /** What was added by another process, on a machine that has the folder, may not be there on this one. */
  const requireAllowed = async (tenant: TenantId, folder: string): Promise<void> => {
    if (await allowed(tenant, folder)) return;
    const isMeant = roots.some((root) => (root.tenant ?? tenant) === tenant && isWithin(root.path, folder));
    throw isMeant ? unreadable(folder) : refused(folder);
  };

  /** Opened, a plain file, and still where its path says. */
  const opened = async (tenant: TenantId, folder: string, path: string): Promise<Opened> => {
    await requireAllowed(tenant, folder);
    const real = await placeOf(folder, path);
    if (real === undefined) {
      await requireThere(folder);
      throw gone(path);
    }
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      (cause: unknown) => {
        throw gone(path, cause);
      },
    );
    const facts = await handle.stat();
    const now = await stat(real).catch(() => undefined);
    const isStill = now?.ino === facts.ino && now.dev === facts.dev && (await placeOf(folder, path)) === real;
    if (facts.isFile() && isStill) return { handle, real, facts };
    await handle.close();
    throw gone(path);
  };

  return {
    resolve: async (tenant, folder) => {
      if (!isAbsolute(folder))
        throw new CodedError('FOLDER_REFUSED', `"${folder}" is no absolute path.`, {
          field: 'path',
          next: 'Give the path from the root of the file system.',
        });
      const real = await realpath(resolve(folder)).catch(() => undefined);
      // whether something is there is not told to whom it is not allowed
      if (real === undefined || !(await allowed(tenant, real))) throw refused(folder);
      if (!(await stat(real)).isDirectory())
        throw new CodedError('FOLDER_REFUSED', `"${folder}" is no folder.`, { field: 'path' });
      return real;
    },
    list: async (tenant, folder, choice, signal) => {
      await requireAllowed(tenant, folder);
      return listFiles(folder, choice, signal);
    },
    look: async (tenant, folder, path) => {
      await requireAllowed(tenant, folder);
      const real = await placeOf(folder, path);
      const facts = real === undefined ? undefined : await stat(real).catch(() => undefined);
      if (facts?.isFile()) return stateOf(facts);
      await requireThere(folder);
      return null;
    },
    open: async (tenant, folder, path, range) => {
      const file = await opened(tenant, folder, path);
      return { ...stateOf(file.facts), bytes: unchanging(file, path, range) };
    },
    local: async (tenant, folder, path, state, use) => {
      const { handle, real, facts } = await opened(tenant, folder, path);
      try {
        if (!same(state, stateOf(facts))) throw changed(path);
        const result = await use(real);
        const after = await stat(real).catch(() => undefined);
        if (!after || after.ino !== facts.ino || !same(state, stateOf(after))) throw changed(path);
        return result;
      } finally {
        await handle.close();
      }
    },
    watch: (folder, enters, onChange) => watchFolder(folder, enters, onChange, budget),
  };
};

/** A folder that is not there, or a mount's empty place, tells nothing of its files. */
const requireThere = async (folder: string): Promise<void> => {
  const entries = await readdir(folder).catch(() => []);
  if (entries.length === 0) throw unreadable(folder);
};

/** Without links; undefined where there is nothing, or it is not within the folder. */
const placeOf = async (folder: string, path: string): Promise<string | undefined> => {
  if (path.includes('\0')) return undefined;
  const real = await realpath(join(folder, path)).catch(() => undefined);
  return real !== undefined && real !== folder && isWithin(folder, real) ? real : undefined;
};

const stateOf = ({ size, mtimeMs }: Stats): FileState => ({ size, mtimeMs });

const same = (one: FileState, other: FileState): boolean =>
  one.size === other.size && Math.floor(one.mtimeMs) === Math.floor(other.mtimeMs);

/** The bytes of a file; their end fails where the file changed meanwhile. Destroyed or read to its end, it is closed. */
const unchanging = (
  { handle, real, facts }: Opened,
  path: string,
  range?: { start: number; end: number },
): Readable => {
  const check = async (): Promise<void> => {
    const after = await stat(real).catch(() => undefined);
    if (after?.ino !== facts.ino || !same(stateOf(facts), stateOf(after))) throw changed(path);
  };
  const checked = new PassThrough({ flush: (done) => void check().then(() => done(), done) });
  pipeline(handle.createReadStream(range), checked, () => {}); // whoever reads it is told of a failure
  return checked;
};

const refused = (folder: string): CodedError =>
  new CodedError('FOLDER_REFUSED', `"${folder}" is in none of the folders that may be read here.`, { field: 'path' });

const gone = (path: string, cause?: unknown): CodedError =>
  new CodedError('SOURCE_GONE', `The file "${path}" is not there any more.`, { cause });

const changed = (path: string): CodedError => new CodedError('SOURCE_CHANGED', `The file "${path}" has changed.`);
