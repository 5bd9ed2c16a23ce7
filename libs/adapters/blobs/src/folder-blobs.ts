import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CodedError, type TenantId } from '@postmaster/contracts';
import type { BlobStore } from '@postmaster/ingestion';
import { writeHashed } from './write-hashed.js';

/** No tenant's id has a dot, so that no tenant's folder meets this one. */
const TEMPORARY = '.incoming';

/** Bytes in `<root>/<tenant>/<first two digits>/<hash>`, written aside, synced, then moved there in one step. */
export const folderBlobs = (root: string, now: () => number = Date.now): BlobStore => {
  const temporary = join(root, TEMPORARY);
  const path = (tenant: TenantId, hash: string): string => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw nothingOf(hash);
    return join(root, tenant, hash.slice(0, 2), hash);
  };

  return {
    path,
    put: async (tenant, bytes, limits) => {
      bytes.on('error', () => {}); // it may fail before it is read; reading it then throws
      await mkdir(temporary, { recursive: true, mode: 0o700 });
      const unfinished = join(temporary, randomUUID());
      try {
        const stored = await writeHashed(unfinished, bytes, limits);
        const place = path(tenant, stored.hash);
        await mkdir(dirname(place), { recursive: true, mode: 0o700 });
        await rename(unfinished, place); // over an equal one where there is one
        await syncFolder(dirname(place));
        return stored;
      } catch (error) {
        bytes.destroy();
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    open: async (tenant, hash, range) => {
      const file = await open(path(tenant, hash)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? nothingOf(hash) : error;
      });
      return file.createReadStream(range);
    },
    has: (tenant, hash) =>
      access(path(tenant, hash)).then(
        () => true,
        () => false,
      ),
    remove: (tenant, hash) => rm(path(tenant, hash), { force: true }),
    sweepTemporary: async (olderThanMs) => {
      const names = await readdir(temporary).catch(() => []);
      const old = await Promise.all(names.map((name) => isOlder(join(temporary, name), now() - olderThanMs)));
      const gone = names.filter((_, at) => old[at]);
      await Promise.all(gone.map((name) => rm(join(temporary, name), { force: true })));
      return gone.length;
    },
  };
};

const nothingOf = (hash: string): CodedError => new CodedError('NOT_FOUND', `No bytes are kept under "${hash}".`);

const isOlder = (file: string, timeMs: number): Promise<boolean> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs < timeMs,
    () => false, // its upload ended meanwhile
  );

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
