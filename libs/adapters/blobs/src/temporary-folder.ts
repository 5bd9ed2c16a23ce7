import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that live only while they are used; what a killed process leaves of them is swept. */
export interface TemporaryFolder {
  /** Gives `use` the path of a file that is not there yet; afterwards it is gone, also after an error. */
  withFile<R>(use: (path: string) => Promise<R>): Promise<R>;
  /** Removes files older than this; gives how many. */
  sweep(olderThanMs: number): Promise<number>;
}

export const temporaryFolder = (folder: string, now: () => number = Date.now): TemporaryFolder => ({
  withFile: async (use) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, randomUUID());
    try {
      return await use(file);
    } finally {
      await rm(file, { force: true });
    }
  },
  sweep: async (olderThanMs) => {
    const names = await readdir(folder).catch(() => []);
    const old = await Promise.all(names.map((name) => isOlder(join(folder, name), now() - olderThanMs)));
    const gone = names.filter((_, at) => old[at]);
    await Promise.all(gone.map((name) => rm(join(folder, name), { force: true })));
    return gone.length;
  },
});

const isOlder = (file: string, timeMs: number): Promise<boolean> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs < timeMs,
    () => false, // it ended meanwhile
  );
