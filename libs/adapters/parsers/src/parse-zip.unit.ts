import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '@postmaster/contracts';
import { sampleDocx, zipArchive, zipBomb, zipOf } from '@postmaster/testing';
import { parseBytes } from './parse-bytes.js';
import { unpackTo } from './unpacking.js';

const read = async (bytes: Uint8Array) => {
  const files: string[] = [];
  const parsed = await parseBytes(
    bytes,
    'a.zip',
    undefined,
    unpackTo((_, file) => void files.push(Buffer.from(file).toString())),
  );
  return { ...parsed, files, paths: parsed.attachments?.map(({ path }) => path) };
};
const deep = (levels: number): Buffer =>
  Array.from({ length: levels }).reduce<Buffer>(
    (inner, _, level) => zipArchive({ [`${level}.zip`]: inner }),
    zipArchive({ 'a.txt': 'x' }),
  );

describe('an archive', () => {
  it('gives each of its files out, and those of archives in it, and is read as their names', async () => {
    const { contentType, text, files, paths } = await read(
      zipArchive({
        'letters/': '',
        'letters/a.txt': 'One.',
        'inner.zip': zipArchive({ 'b.md': 'Two.' }),
        'c.docx': sampleDocx(['x']),
        '__MACOSX/._a.txt': 'x',
      }),
    );
    expect([contentType, text]).toEqual(['application/zip', '- letters/a.txt\n- inner.zip/b.md\n- c.docx']);
    expect(paths).toEqual(['letters/a.txt', 'inner.zip/b.md', 'c.docx']);
    expect(files.slice(0, 2)).toEqual(['One.', 'Two.']);
  });

  it.each<[what: string, name: string | Uint8Array, path: string]>([
    ['UTF-8 without its flag', 'blåbær.txt', 'blåbær.txt'],
    ['the DOS code page', Buffer.from('bl\x86b\x91r.txt', 'latin1'), 'blåbær.txt'],
    ['a way upwards', '../../etc/passwd', 'etc/passwd'],
    ['an absolute path', '/etc/passwd', 'etc/passwd'],
    ['a Windows path', 'C:\\temp\\..\\x.txt', 'temp/x.txt'],
    ['a turn of direction', 'bill\u202efdp.exe', 'billfdp.exe'],
    ['control characters', 'a\u0000\u001b[31m.txt', 'a[31m.txt'],
    ['nothing', '..', 'unnamed'],
  ])('has its names made safe: %s', async (_what, name, path) => {
    expect((await read(zipOf([{ name, content: 'x' }]))).paths).toEqual([path]);
  });

  it('tells of files with a password and gives out the others', async () => {
    const { attachments, files } = await read(
      zipOf([
        { name: 'secret.txt', content: 'x', flags: 1 },
        { name: 'open.txt', content: 'Open.' },
      ]),
    );
    expect(attachments?.map(({ path, failure }) => [path, failure?.code])).toEqual([
      ['secret.txt', 'PASSWORD_NEEDED'],
      ['open.txt', undefined],
    ]);
    expect(files).toEqual(['Open.']);
  });

  it.each<[what: string, bytes: () => Buffer, code: ErrorCode]>([
    [
      'of 1,001 files',
      () => zipOf(Array.from({ length: 1_001 }, (_, index) => ({ name: `${index}`, content: 'x' }))),
      'ARCHIVE_TOO_LARGE',
    ],
    [
      'of 1,001 files in archives',
      () =>
        zipArchive(
          Object.fromEntries(
            Array.from({ length: 11 }, (_, index) => [
              `${index}.zip`,
              zipOf(Array.from({ length: 95 }, (__, at) => ({ name: `${at}`, content: 'x' }))),
            ]),
          ),
        ),
      'ARCHIVE_TOO_LARGE',
    ],
    [
      'that unpacks to a hundredfold',
      () => zipOf([{ name: 'a.txt', content: Buffer.alloc(20 * 1024 * 1024) }]),
      'ARCHIVE_TOO_LARGE',
    ],
    ['that unpacks to more than it says', () => zipBomb('a.txt', 50), 'DOCUMENT_BROKEN'],
    ['like 42.zip', () => deep(5), 'NESTED_TOO_DEEP'],
    ['of nothing', () => zipArchive({ 'folder/': '' }), 'NO_TEXT'],
    ['of files with passwords alone', () => zipOf([{ name: 'a.txt', content: 'x', flags: 1 }]), 'PASSWORD_NEEDED'],
    ['that is a program', () => zipArchive({ 'META-INF/MANIFEST.MF': 'x', 'a.class': 'x' }), 'UNKNOWN_TYPE'],
  ])('is refused whole: %s', async (_what, bytes, code) => {
    await expect(read(bytes())).rejects.toMatchObject({ code });
  });

  it('is opened three deep', async () => {
    expect((await read(deep(2))).paths).toEqual(['1.zip/0.zip/a.txt']);
  });

  it('is refused where it lies too deep in others', async () => {
    await expect(parseBytes(zipArchive({ 'a.txt': 'x' }), 'a.zip')).rejects.toMatchObject({ code: 'NESTED_TOO_DEEP' });
  });
});
