import { mkdtemp, readdir, rm, utimes, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { blobContract } from '@postmaster/testing/suites';
import { folderBlobs } from './index.js';

const roots: string[] = [];
const newRoot = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'postmaster-blobs-'));
  roots.push(root);
  return root;
};
afterAll(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

blobContract('A folder', async () => folderBlobs(await newRoot()));

describe('A folder of blobs', () => {
  it('keeps a tenant in a folder of its own, spread by the first two digits', async () => {
    const root = await newRoot();
    const { hash } = await folderBlobs(root).put(TenantId.parse('a'), Readable.from(['text']), { maxBytes: 10 });
    expect(await readdir(join(root, 'a', hash.slice(0, 2)))).toEqual([hash]);
  });

  it('sweeps what broken uploads left behind, and not what is still coming in', async () => {
    const root = await newRoot();
    const incoming = join(root, '.incoming');
    await mkdir(incoming);
    for (const name of ['old', 'new']) await writeFile(join(incoming, name), name);
    await utimes(join(incoming, 'old'), new Date(0), new Date(0));
    expect(await folderBlobs(root).sweepTemporary(60_000)).toBe(1);
    expect(await readdir(incoming)).toEqual(['new']);
  });
});
