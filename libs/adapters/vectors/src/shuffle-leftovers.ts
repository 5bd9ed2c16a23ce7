import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^\.tmp\w{6}$/;
const FILES = new Set(['shuffle_data.lance', 'shuffle_data.spill', 'shuffle_offsets.lance', 'shuffle_offsets.spill']);
const SETTLED_MS = 600_000; // what is still needed of them is open by then, in another process too

/**
 * Takes away what LanceDB leaves among the system's temporary files: a copy of the vectors for every vector index that
 * it builds (lance-format/lance#8992, mended in Lance 13). What was written to in the last ten minutes may be in use,
 * what holds anything else is of another kind, and another user's is not ours: these stay.
 */
export const removeShuffleLeftovers = async (folder: string = tmpdir()): Promise<void> => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
  for (const name of names) {
    const path = join(folder, name);
    if (await isLeftover(path).catch(() => false)) await rm(path, { recursive: true }).catch(ignored);
  }
};

const isLeftover = async (path: string): Promise<boolean> => {
  const files = await readdir(path);
  if (!files.includes('shuffle_offsets.lance') || files.some((file) => !FILES.has(file))) return false;
  const found = await Promise.all(files.map((file) => stat(join(path, file))));
  const own = process.getuid?.(); // nobody has one on Windows
  if (own !== undefined && found.some(({ uid }) => uid !== own)) return false;
  return Math.max(...found.map(({ mtimeMs }) => mtimeMs)) < Date.now() - SETTLED_MS;
};

/** Gone already, or not ours to take. */
const ignored = (): void => undefined;
