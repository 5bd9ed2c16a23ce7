import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CodedError, type TenantId } from '@postmaster/contracts';
import type { BlobStore } from '@postmaster/ingestion';
import { nothingOf, requireHash } from './blob-key.js';
import { temporaryFolder } from './temporary-folder.js';
import { writeHashed } from './write-hashed.js';

/** No tenant's id has a dot, so that no tenant's folder meets this one. */
export const INCOMING = '.incoming';

/** Bytes in `<root>/<tenant>/<first two digits>/<hash>`, written aside, synced, then moved there in one step. */
export const folderBlobs = (root: string, now: () => number = Date.now): BlobStore => {
  const temporary = temporaryFolder(join(root, INCOMING), now);
  const pathOf = (tenant: TenantId, hash: string): string => join(root, tenant, hash.slice(0, 2), requireHash(hash));
  const isThere = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );

  return {
    put: (tenant, bytes, limits) => {
      bytes.on('error', () => {}); // it may fail before it is read; reading it then throws
      return temporary.withFile(async (unfinished) => {
        const stored = await writeHashed(unfinished, bytes, limits);
        const place = pathOf(tenant, stored.hash);
        await mkdir(dirname(place), { recursive: true, mode: 0o700 });
        await rename(unfinished, place); // over an equal one where there is one
        await syncFolder(dirname(place));
        return stored;
      });
    },
    open: async (tenant, hash, range) => {
      const file = await open(pathOf(tenant, hash)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? nothingOf(hash) : error;
      });
      return file.createReadStream(range);
    },
    local: async (tenant, hash, use) => {
      const path = pathOf(tenant, hash);
      if (!(await isThere(path))) throw nothingOf(hash);
      return use(path);
    },
    has: async (tenant, hash) => isThere(pathOf(tenant, hash)),
    remove: async (tenant, hash) => rm(pathOf(tenant, hash), { force: true }),
    sweepTemporary: (olderThanMs) => temporary.sweep(olderThanMs),
    check: async () => {
      try {
        await mkdir(root, { recursive: true, mode: 0o700 });
        await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
      } catch (cause) {
        throw new CodedError('CONFIG_INVALID', `The folder of the blobs, "${root}", can not be written.`, {
          cause,
          next: 'Set BLOBS_URL or POSTMASTER_DATA to a folder that this user may write.',
        });
      }
    },
  };
};

/** Makes the new name itself last. Windows can't open a folder, and needs no such call. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
