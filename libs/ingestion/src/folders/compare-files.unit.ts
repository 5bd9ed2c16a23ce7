import { describe, expect, it } from 'vitest';
import { chooseFiles } from './choose-files.js';
import { compareFiles, isSettled, type KnownFile } from './compare-files.js';

describe('the files that patterns choose', () => {
  const cases: [string, string[], string[], string, boolean][] = [
    ['documents where nothing is said', [], [], 'a/b/Report.PDF', true],
    ['pictures, whose text is recognised, where nothing is said', [], [], 'a/Scan.TIFF', true],
    ['no programs where nothing is said', [], [], 'a/main.ts', false],
    ['nothing hidden', [], [], 'a/.secret.md', false],
    ['nothing in hidden folders', [], [], '.git/readme.md', false],
    ['no dependencies', [], [], 'node_modules/x/readme.md', false],
    ['no lock files of office programs', [], [], 'a/~$letter.docx', false],
    ['only what is included', ['**/*.txt'], [], 'a/b.md', false],
    ['what is included, at the top too', ['**/*.txt'], [], 'b.txt', true],
    ['nothing that is excluded', [], ['drafts/**'], 'drafts/a/b.md', false],
    ['hidden files by a pattern that names the dot', ['**/.notes/*.md'], [], 'x/.notes/a.md', true],
    ['names with letters of their own', [], [], 'æøå/blåbær.md', true],
  ];
  it.each(cases)('has %s', (_, include, exclude, path, taken) => {
    const choice = chooseFiles({ include, exclude });
    expect(choice.takes(path)).toBe(taken);
  });

  it('looks into no folder of which nothing is meant', () => {
    const { enters } = chooseFiles({ include: [], exclude: ['drafts/**'] });
    expect(['a', '.git', 'x/node_modules', 'drafts', 'drafts/a'].map(enters)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a look at a folder', () => {
  const known = new Map<string, KnownFile>(
    (
      [
        ['same.md', 'taken'],
        ['longer.md', 'taken'],
        ['touched.md', 'taken'],
        ['gone.md', 'taken'],
        ['back.md', 'gone'],
        ['refused.md', 'refused'],
        ['shut/a.md', 'taken'],
        ['missed.md', 'gone'],
      ] as const
    ).map(([path, state]) => [path, { path, size: 10, mtimeMs: 1000.25, state }]),
  );
  const file = (path: string, size = 10, mtimeMs = 1000.75) => ({ path, size, mtimeMs });

  it('finds what is new, changed or back, and what is gone; nothing of a folder that it could not read', () => {
    const files = [
      file('same.md'),
      file('longer.md', 11),
      file('touched.md', 10, 1001),
      file('back.md'),
      file('refused.md'),
      file('new.md'),
    ];
    const { fresh, gone } = compareFiles({ files, unread: ['shut'] }, known);
    expect(fresh.map(({ path }) => path)).toEqual(['longer.md', 'touched.md', 'back.md', 'new.md']);
    expect(gone).toEqual(['gone.md']);
  });

  it('waits for a file that changed a moment ago, not for one from a clock that is ahead', () => {
    const at = (mtimeMs: number): boolean => isSettled({ size: 1, mtimeMs }, 10_000, 2_000);
    expect([at(8_000), at(8_001), at(9_999), at(20_000)]).toEqual([true, false, false, true]);
  });
});
