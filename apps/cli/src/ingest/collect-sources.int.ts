import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectSources } from './collect-sources.js';

describe('collecting sources', () => {
  let cwd: string;
  const make = async (...paths: string[]): Promise<void> => {
    for (const path of paths) {
      await mkdir(join(cwd, path, '..'), { recursive: true });
      await writeFile(join(cwd, path), 'text');
    }
  };
  const namesOf = async (...args: string[]): Promise<string[]> => {
    const { sources } = await collectSources(args, cwd);
    return sources.map(({ sourceId }) => sourceId.replace(`${cwd.replaceAll('\\', '/')}/`, ''));
  };

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'postmaster-sources-'));
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));

  it('takes what can be read of a folder and tells what it left out', async () => {
    await make('a/b/x.md', 'a/y.PDF', 'a/z.tiff', 'a/film.mov', 'a/Makefile');
    const { sources, leftOut } = await collectSources(['a'], cwd);
    expect(sources.map(({ sourceId }) => sourceId.split('/').pop())).toEqual(['x.md', 'y.PDF', 'z.tiff']);
    expect(leftOut).toEqual({ '.mov': 1, 'no ending': 1 });
  });

  it('leaves hidden files, node_modules and .git alone', async () => {
    await make('.hidden.md', '.git/a.md', 'node_modules/p/README.md', 'b/node_modules/p/README.md', 'c.md');
    expect(await namesOf('.')).toEqual(['c.md']);
  });

  it('takes a file that is named, whatever its ending', async () => {
    await make('notes.xyz', '.profile.md');
    expect(await namesOf('notes.xyz', '.profile.md')).toEqual(['notes.xyz', '.profile.md']);
  });

  it('takes all that a glob with an ending matches, and only what can be read where it names none', async () => {
    await make('l/a.log', 'l/b.md', 'l/c.mov');
    expect(await namesOf('l/*.log')).toEqual(['l/a.log']);
    expect(await namesOf('l/*')).toEqual(['l/b.md']);
  });

  it('takes a name with the signs of a glob as the name that it is', async () => {
    await make('report [1].md', 'odd (x)/[2]/y.md');
    expect(await namesOf('report [1].md', 'odd (x)')).toEqual(['report [1].md', 'odd (x)/[2]/y.md']);
  });

  it('takes a source once, however often it is named', async () => {
    await make('a/x.md');
    expect(await namesOf('a', 'a/x.md', join(cwd, 'a', 'x.md'))).toEqual(['a/x.md']);
  });

  it('names sources in NFC, and reads them by the name that they have', async () => {
    const decomposed = 'A\u030angstro\u0308m.md';
    await make(decomposed);
    const { sources } = await collectSources([decomposed], cwd);
    expect(sources[0]?.sourceId.endsWith('/\u00c5ngstr\u00f6m.md')).toBe(true);
    expect(sources[0]).toMatchObject({ kind: 'file', path: join(cwd, decomposed), name: '\u00c5ngstr\u00f6m.md' });
  });

  it('does not walk in circles of links', async () => {
    await make('a/x.md');
    await symlink(cwd, join(cwd, 'a', 'up'), 'dir');
    expect(await namesOf('.')).toEqual(['a/x.md']);
  });

  it('takes addresses as they are, and file addresses as files', async () => {
    await make('x y.md');
    const address = new URL(`file://${cwd.replaceAll('\\', '/')}/x%20y.md`).href;
    expect(await namesOf('https://example.org/a?b=c', address)).toEqual(['https://example.org/a?b=c', 'x y.md']);
  });

  it('refuses what is not there before anything is sent', async () => {
    await expect(collectSources(['nope.md'], cwd)).rejects.toMatchObject({ code: 'WRONG_USAGE', exitCode: 2 });
    await expect(collectSources(['nope/**/*.md'], cwd)).rejects.toMatchObject({ code: 'WRONG_USAGE' });
  });
});
