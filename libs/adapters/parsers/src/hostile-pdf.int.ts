import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodedError, ErrorCode } from '@postmaster/contracts';
import { pdfOfObjects } from '@postmaster/testing';
import { childProcessParser } from './child-process-parser.js';

const LIMITS = { timeoutMs: 6_000, memoryMb: 256 };
const SENTENCE = 'The harbour was built by the town.';
const SHOWN = `BT /F1 11 Tf 72 700 Td (${SENTENCE}) Tj ET\n`;
const MB = 1024 * 1024;

const stream = (data: string, dictionary = ''): string =>
  `<< /Length ${data.length} ${dictionary} >>\nstream\n${data}\nendstream`;
const packed = (data: string | Buffer): string => deflateSync(data).toString('latin1');
const flate = (data: string | Buffer): string => stream(packed(data), '/Filter /FlateDecode');

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const DESCRIPTOR =
  '/Type /FontDescriptor /FontName /X /Flags 32 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /CapHeight 1 /StemV 1';

interface Parts {
  pages?: string;
  /** What the page draws: object 4. */
  content?: string;
  contents?: string;
  resources?: string;
  font?: string;
  /** Objects from 6 on. */
  more?: readonly string[];
}

/** One page, at object 3, in the font at object 5. */
const pdfOf = ({ pages, content = SHOWN, contents = '4 0 R', resources = '', font = HELVETICA, more = [] }: Parts) =>
  pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    pages ?? '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> ${resources} >> /Contents ${contents} >>`,
    content.includes('endstream') ? content : stream(content),
    font,
    ...more,
  ]);

/** Draws the next one twice, thirty times over: a thousand million texts. */
const doubling = Array.from({ length: 30 }, (_, at) => {
  const next = at < 29 ? `/XObject << /X1 ${7 + at} 0 R >>` : '';
  const resources = `/Resources << ${next} /Font << /F1 5 0 R >> >>`;
  return stream(
    next === '' ? SHOWN : '/X1 Do /X1 Do',
    `/Type /XObject /Subtype /Form /BBox [0 0 595 842] ${resources}`,
  );
});
const drawsItself = stream(
  `${SHOWN} /X1 Do /X1 Do`,
  '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X1 6 0 R >> /Font << /F1 5 0 R >> >>',
);
const cidFont = (more: string): Pick<Parts, 'content' | 'font' | 'more'> => ({
  content: 'BT /F1 11 Tf 72 700 Td <00410042> Tj ET',
  font: '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 8 0 R >>',
  more: [
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R ${more} >>`,
    `<< ${DESCRIPTOR} >>`,
    stream(
      'begincmap 1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange 1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange endcmap',
    ),
  ],
});

let folder: string;
const parser = childProcessParser({ poolSize: 1 });
const read = async (bytes: Uint8Array): Promise<string> => {
  const file = path.join(folder, 'a.pdf');
  await writeFile(file, bytes);
  return (await parser.parse({ path: file, name: 'a.pdf' }, LIMITS)).text;
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'hostile-pdf-'));
});
afterAll(async () => {
  await parser.close();
  await rm(folder, { recursive: true });
});

describe('a PDF that is made to exhaust who reads it', () => {
  it.each<[what: string, parts: () => Parts, ...codes: ErrorCode[]]>([
    [
      'of 50,000 pages',
      () => ({ pages: `<< /Type /Pages /Kids [${'3 0 R '.repeat(50_000)}] /Count 50000 >>` }),
      'DOCUMENT_TOO_LONG',
    ],
    ['whose pages hold themselves', () => ({ pages: '<< /Type /Pages /Kids [2 0 R] /Count 5 >>' }), 'DOCUMENT_BROKEN'],
    [
      'of a page without an end',
      () => ({ contents: `[${'4 0 R '.repeat(500_000)}]` }),
      'PARSE_TIMEOUT',
      'PARSE_MEMORY',
    ],
    [
      'of a page that doubles thirty times',
      () => ({ content: '/X1 Do', resources: '/XObject << /X1 6 0 R >>', more: doubling }),
      'PARSE_TIMEOUT',
      'PARSE_MEMORY',
    ],
    [
      'with a stream of 600 MB',
      () => ({ content: flate(Buffer.alloc(600 * MB, ' ')) }),
      'PARSE_MEMORY',
      'PARSE_TIMEOUT',
    ],
    [
      'with a stream packed twice',
      () => ({
        content: stream(packed(deflateSync(Buffer.alloc(600 * MB, ' '))), '/Filter [/FlateDecode /FlateDecode]'),
      }),
      'PARSE_MEMORY',
      'PARSE_TIMEOUT',
    ],
    [
      'with a font of 600 MB',
      () => ({
        font: '<< /Type /Font /Subtype /TrueType /BaseFont /X /FirstChar 0 /LastChar 255 /FontDescriptor 6 0 R >>',
        more: [`<< ${DESCRIPTOR} /FontFile2 7 0 R >>`, flate(Buffer.alloc(600 * MB))],
      }),
      'PARSE_MEMORY',
      'PARSE_TIMEOUT',
    ],
    ['with a font of 4,294,967,296 letters', () => cidFont('/W [0 4294967295 500]'), 'PARSE_MEMORY', 'PARSE_TIMEOUT'],
  ])(
    'is refused within its limits: %s',
    async (_what, parts, ...codes) => {
      const failure: Partial<CodedError> = await read(pdfOf(parts())).then(
        (text) => ({ message: `It was read: ${text.slice(0, 100)}` }),
        (error: CodedError) => error,
      );
      expect(codes).toContain(failure.code ?? failure.message);
      expect(failure.next).toMatch(/.{10}/);
    },
    60_000,
  );

  it.each<[what: string, parts: () => Parts, text: string]>([
    ['that says it has 9,999 pages', () => ({ pages: '<< /Type /Pages /Kids [3 0 R] /Count 9999 >>' }), SENTENCE],
    [
      'with a drawing that draws itself',
      () => ({ content: '/X1 Do', resources: '/XObject << /X1 6 0 R >>', more: [drawsItself] }),
      SENTENCE,
    ],
    ['with a table of 4,294,967,296 letters', () => cidFont(''), 'AB'],
  ])('is read as what it is: %s', async (_what, parts, text) => {
    expect(await read(pdfOf(parts()))).toBe(text);
  });

  it('leaves a parser behind that reads sound ones', async () => {
    expect(await read(pdfOf({}))).toBe(SENTENCE);
  });
});
