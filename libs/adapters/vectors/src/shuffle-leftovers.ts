import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^\.tmp\w{6}$/;
const FILES = new Set(['shuffle_data.lance', 'shuffle_data.spill', 'shuffle_offsets.lance', 'shuffle_offsets.spill']);
const SETTLED = 10_000; // milliseconds; what is still needed of them is open by then

/**
 * Takes away what LanceDB leaves among the system's temporary files: a copy of the vectors for every vector index that
 * it builds (lance-format/lance#8992, mended in Lance 13). What was written to in the last seconds may be in use, and
 * what holds anything else is somebody else's: both stay.
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
  const written = await Promise.all(files.map(async (file) => (await stat(join(path, file))).mtimeMs));
  return Math.max(...written) < Date.now() - SETTLED;
};

/** Gone already, or not ours to take. */
const ignored = (): void => undefined;
