import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '@postmaster/ingestion';
import iconv from 'iconv-lite';
import { parseBytes } from './parse-bytes.js';
import { codePointSlices } from './plain-text.js';

const parse = (text: string | Uint8Array, name = 'note.txt', type?: string): Promise<ParsedDocument> =>
  parseBytes(typeof text === 'string' ? Buffer.from(text) : text, name, type);
const blocksOf = ({ text, blocks }: ParsedDocument): [string, string][] =>
  codePointSlices(text, blocks).map((slice, index) => [blocks[index]?.kind ?? '', slice]);

describe('plain text', () => {
  it.each(['a', 'hej', 'ål', '{\\rt'])('is read where the whole file is %j', async (text) => {
    // as a file's bytes are read, in memory of their own: a Buffer of a few letters lies in a larger one
    expect((await parse(Uint8Array.from(Buffer.from(text)))).text).toBe(text);
  });

  it('parts paragraphs at empty lines', async () => {
    const parsed = await parse('First line\nand its second.\n\n\nSecond paragraph.\r\n');
    expect(parsed.contentType).toBe('text/plain');
    expect(blocksOf(parsed)).toEqual([
      ['text', 'First line\nand its second.'],
      ['text', 'Second paragraph.'],
    ]);
  });

  it('takes numbered lines and lines in capitals by themselves for headings', async () => {
    const parsed = await parse('TERMS OF USE\n\nThese apply.\n\n1.2 Payment\n\nPay in time.\n\nSigned, THE END');
    expect(parsed.blocks.map(({ kind, level }) => [kind, level])).toEqual([
      ['heading', 1],
      ['text', undefined],
      ['heading', 2],
      ['text', undefined],
      ['text', undefined],
    ]);
    expect(parsed.title).toBe('TERMS OF USE');
  });

  it('keeps a list as one block, an item a line', async () => {
    expect(blocksOf(await parse('- milk\n- bread\n- salt'))).toEqual([['list', '- milk\n- bread\n- salt']]);
  });

  it('makes a paragraph of each line where lines are long', async () => {
    const line = 'A paragraph that its writer saw wrapped on the screen. '.repeat(4).trim();
    expect((await parse(`${line}\n${line}`)).blocks).toHaveLength(2);
  });

  it('composes letters (NFC) and drops control characters, counting offsets in code points', async () => {
    const parsed = await parse('A\u030angstro\u0308m 😀\u0007\n\nnext');
    expect(parsed.text).toBe('Ångström 😀\n\nnext');
    expect(parsed.blocks.map(({ start, end }) => [start, end])).toEqual([
      [0, 10],
      [12, 16],
    ]);
  });
});

describe('encodings', () => {
  const danish = 'Når årets første sne falder, går børnene på æbleskud i gården.';
  it.each([
    ['windows-1252', iconv.encode(danish, 'windows-1252')],
    ['utf-16le', iconv.encode(danish, 'utf-16le', { addBOM: true })],
    ['utf-16be', iconv.encode(danish, 'utf-16be')],
    ['utf-8', Buffer.from(`\ufeff${danish}`)],
  ])('reads %s and says so', async (encoding, bytes) => {
    const parsed = await parse(bytes);
    expect(parsed.text).toBe(danish);
    expect(parsed.metadata['encoding']).toBe(encoding);
    expect(parsed.language).toBe('da');
  });

  it('reads Cyrillic and Japanese text by its byte statistics', async () => {
    const russian = 'Все люди рождаются свободными и равными в своем достоинстве и правах.';
    expect((await parse(iconv.encode(russian, 'windows-1251'))).text).toBe(russian);
    const japanese = 'すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。';
    expect((await parse(iconv.encode(japanese, 'shift_jis'))).text).toBe(japanese);
  });

  it('goes by the charset that the server declared where the bytes are not UTF-8', async () => {
    const parsed = await parse(
      iconv.encode('Zażółć gęślą jaźń', 'iso-8859-2'),
      'x.txt',
      'text/plain; charset=ISO-8859-2',
    );
    expect(parsed.text).toBe('Zażółć gęślą jaźń');
  });

  it('reads damaged UTF-8 as UTF-8, and says how much of it was unreadable', async () => {
    const bytes = Buffer.concat([Buffer.from(danish.repeat(3)), Buffer.from([0xff]), Buffer.from(' slut')]);
    const parsed = await parse(bytes);
    expect(parsed.text).toContain('første sne');
    expect(parsed.metadata).toEqual({ encoding: 'utf-8', unreadableCharacters: 1 });
  });
});

describe('Markdown', () => {
  const markdown = [
    '---\ntitle: The guide\nauthor: Ada\ndate: 2024-03-01\nlang: en\n---',
    '# Guide',
    'Some *text* with `code`, a [link](https://example.org)\nand a second line.  \nA third.',
    '1. one\n2. two\n   - inner',
    '| a | b |\n|---|---|\n| 1 | **2** |',
    '```js\nconst x = 1;\n```',
    '> quoted',
    '<table><tr><td>x</td><td>y</td></tr></table>',
  ].join('\n\n');

  it('gives headings with their level, lists, tables and code as text that reads well', async () => {
    const parsed = await parse(markdown, 'upload');
    expect(parsed.contentType).toBe('text/markdown');
    expect(parsed.blocks[0]?.level).toBe(1);
    expect(blocksOf(parsed)).toEqual([
      ['heading', 'Guide'],
      ['text', 'Some text with code, a link and a second line.\nA third.'],
      ['list', '1. one\n2. two\n  - inner'],
      ['table', 'a | b\n1 | 2'],
      ['code', 'const x = 1;'],
      ['text', 'quoted'],
      ['table', 'x | y'],
    ]);
  });

  it('takes title, date and author from the front matter', async () => {
    const parsed = await parse(markdown);
    expect([parsed.title, parsed.createdAt]).toEqual(['The guide', '2024-03-01T00:00:00.000Z']);
    expect(parsed.metadata['author']).toBe('Ada');
  });

  it('is told from text by its marks; one kind of mark alone leaves it to the name', async () => {
    const script = '# first set the path\nexport PATH=/bin\n# then run\nrun';
    expect((await parse(script, 'setup.sh')).contentType).toBe('text/plain');
    expect((await parse(script, 'setup.md')).contentType).toBe('text/markdown');
    expect((await parse('# A\n\n**bold** text', 'a.txt')).contentType).toBe('text/markdown');
  });
});
