import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holderOf, lockDataFolder, readDataVersion, writeDataVersion } from './index.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'postmaster-lock-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const platforms: NodeJS.Platform[] = process.platform === 'linux' ? ['linux', 'darwin'] : [process.platform];
for (const platform of platforms)
  describe(`the lock of a data folder, as on ${platform}`, () => {
    it('refuses a second holder, also by another path, and says where the first one runs', async () => {
      const lock = await lockDataFolder(join(root, 'data'), platform);
      await symlink(join(root, 'data'), join(root, 'alias'));
      lock.announce({ url: 'http://127.0.0.1:4000' });
      await expect(lockDataFolder(join(root, 'alias'), platform)).rejects.toMatchObject({
        code: 'DATA_IN_USE',
        message: expect.stringContaining(`Process ${process.pid} (http://127.0.0.1:4000)`),
      });
      expect(await holderOf(join(root, 'data'), platform)).toEqual({ pid: process.pid, url: 'http://127.0.0.1:4000' });
      await lock.release();
    });

    it('is free again once released, and two folders do not meet', async () => {
      const lock = await lockDataFolder(join(root, 'a'), platform);
      const other = await lockDataFolder(join(root, 'b'), platform);
      await lock.release();
      await (await lockDataFolder(join(root, 'a'), platform)).release();
      await other.release();
      expect(await holderOf(join(root, 'a'), platform)).toBeUndefined();
    });

    it('has one winner when many ask at once', async () => {
      const asked = await Promise.allSettled([1, 2, 3, 4, 5].map(() => lockDataFolder(root, platform)));
      const won = asked.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(won).toHaveLength(1);
      await won[0]?.release();
    });
  });

describe('the version of a data folder', () => {
  it('is unknown for a new folder and read back as written', async () => {
    expect(await readDataVersion(root)).toBeUndefined();
    await writeDataVersion(root, '0.1.0');
    expect(await readDataVersion(root)).toEqual({ format: 1, version: '0.1.0' });
    expect(await readFile(join(root, 'postmaster.json'), 'utf8')).toBe('{"format":1,"version":"0.1.0"}\n');
  });

  it('refuses a newer format and names the version that wrote it', async () => {
    await writeFile(join(root, 'postmaster.json'), '{"format":2,"version":"9.0.0"}');
    await expect(readDataVersion(root)).rejects.toMatchObject({
      code: 'DATA_NEWER',
      message: expect.stringContaining('9.0.0'),
    });
  });
});
