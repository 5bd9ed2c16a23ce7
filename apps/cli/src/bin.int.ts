import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('../bin/postmaster.js', import.meta.url));

describe('the command', () => {
  it('can be run by its name, and says how to build what was not built yet', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postmaster-bin-'));
    try {
      await mkdir(join(folder, 'bin'));
      await copyFile(BIN, join(folder, 'bin', 'postmaster.js'));
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      const ran = promisify(execFile)(process.execPath, [join(folder, 'bin', 'postmaster.js'), 'status']);
      await expect(ran).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('→ Run `npm install`') });
      if (process.platform !== 'win32') expect((await stat(BIN)).mode & 0o111).toBe(0o111);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
