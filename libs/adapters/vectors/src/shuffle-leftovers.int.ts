import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeShuffleLeftovers } from './shuffle-leftovers.js';

const ALL = ['shuffle_data.lance', 'shuffle_data.spill', 'shuffle_offsets.lance', 'shuffle_offsets.spill'];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postmaster-leftovers-'));
});
afterEach(() => rm(folder, { recursive: true }));

const made = async (name: string, files: readonly string[], age: number): Promise<void> => {
  await mkdir(join(folder, name));
  const at = new Date(Date.now() - age);
  for (const file of files) {
    await writeFile(join(folder, name, file), 'vectors');
    await utimes(join(folder, name, file), at, at);
  }
};

it('takes away what an index left, but nothing that is in use or is not known', async () => {
  await made('.tmpaB3dE9', ALL, 3_600_000);
  await made('.tmpInUse1', ALL, 500_000);
  await made('.tmpHalf01', ALL.slice(0, 2), 3_600_000); // its vectors are being written
  await made('.tmpOther1', [...ALL, 'notes.txt'], 3_600_000);
  await made('.tmp', ALL, 3_600_000);
  await made('shuffles', ALL, 3_600_000);
  await removeShuffleLeftovers(folder);
  expect(new Set(await readdir(folder))).toEqual(
    new Set(['.tmp', '.tmpHalf01', '.tmpInUse1', '.tmpOther1', 'shuffles']),
  );
});

it('has nothing to do where there is no such folder', async () => {
  await expect(removeShuffleLeftovers(join(folder, 'gone'))).resolves.toBeUndefined();
});
