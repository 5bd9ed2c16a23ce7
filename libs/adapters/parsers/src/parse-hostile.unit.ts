import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CodedError, type ErrorCode } from '@postmaster/contracts';
import {
  compoundFile,
  sampleDoc,
  sampleDocx,
  sampleEpub,
  sampleOdt,
  samplePdf,
  samplePptx,
  sampleXlsx,
  truncated,
  zipArchive,
  zipBomb,
} from '@postmaster/testing';
import { parseBytes } from './parse-bytes.js';

const text = 'The harbour was built by the town itself, which paid for it with a tax on herring.';
const DEEP = 100_000;
const ODT = 'application/vnd.oasis.opendocument.text';
const odtOf = (content: string): Buffer => zipArchive({ mimetype: ODT, 'content.xml': content });
const laughs = `<!DOCTYPE a [<!ENTITY l0 "ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')}]>`;
const external = '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]>';
const body = (inside: string): string =>
  `<o:document-content xmlns:o="o" xmlns:t="t"><o:body><o:text><t:p>${inside}</t:p></o:text></o:body></o:document-content>`;
const presentation = { '_rels/.rels': '', 'ppt/presentation.xml': '' };

/** The second sector of the main stream leads back to its first. */
const ringOfSectors = (): Buffer => {
  const file = sampleDoc([text]);
  file.writeUInt32LE(2, 512 + 4 * 3);
  return file;
};

describe('a file that is made to do harm, or is none of ours', () => {
  it.each<[what: string, file: () => Uint8Array, name: string, code: ErrorCode, says: RegExp]>([
    ['a billion laughs in an ODT', () => odtOf(laughs + body('&l9;')), 'a.odt', 'DOCUMENT_BROKEN', /declares entities/],
    [
      'an external entity in an ODT',
      () => odtOf(external + body('&f;')),
      'a.odt',
      'DOCUMENT_BROKEN',
      /declares entities/,
    ],
    [
      'a billion laughs in a DOCX',
      () => zipArchive({ 'word/document.xml': `${laughs}<w:document xmlns:w="w"><w:body/></w:document>` }),
      'a.docx',
      'DOCUMENT_BROKEN',
      /document type/,
    ],
    [
      'a billion laughs in a drawing',
      () =>
        Buffer.from(`<?xml version="1.0"?>${laughs}<svg xmlns="http://www.w3.org/2000/svg"><text>&l9;</text></svg>`),
      'a.svg',
      'UNKNOWN_TYPE',
      /xml/,
    ],
    ['a gzip bomb', () => gzipSync(Buffer.alloc(50 * 1024 * 1024)), 'a.gz', 'UNKNOWN_TYPE', /gzip/],
    ['a gzip bomb that is named a PDF', () => gzipSync(Buffer.alloc(1024 * 1024)), 'a.pdf', 'UNKNOWN_TYPE', /gzip/],
    [
      'XML of 100,000 levels',
      () => odtOf('<a>'.repeat(DEEP) + '</a>'.repeat(DEEP)),
      'a.odt',
      'DOCUMENT_BROKEN',
      /levels deep/,
    ],
    [
      'rich text of 100,000 groups',
      () => Buffer.from(`{\\rtf1 ${'{'.repeat(DEEP)}x${'}'.repeat(DEEP)}}`),
      'a.rtf',
      'DOCUMENT_BROKEN',
      /levels deep/,
    ],
    [
      'data of 100,000 levels',
      () => Buffer.from('['.repeat(DEEP) + '{"a":1}' + ']'.repeat(DEEP)),
      'a.json',
      'DOCUMENT_BROKEN',
      /levels deep/,
    ],
    [
      'an ODT that unpacks to more than its sizes say',
      () => zipBomb('content.xml', 101, { mimetype: ODT }),
      'a.odt',
      'DOCUMENT_BROKEN',
      /more than 100 MB/,
    ],
    ['an old Word document whose sectors run in a circle', ringOfSectors, 'a.doc', 'DOCUMENT_BROKEN', /circle/],
    [
      'a PDF of 12,000 pages',
      () => samplePdf(Array<string[]>(12_000).fill(['x'])),
      'a.pdf',
      'DOCUMENT_TOO_LONG',
      /12000 pages/,
    ],
    [
      'an archive that names a PDF in its first bytes',
      () => zipArchive({ '%PDF-1.7': text }),
      'a.pdf',
      'NESTED_TOO_DEEP', // it is taken for the archive that it is; here nothing is unpacked
      /more mails or archives/,
    ],
    [
      'an old Word document with a password',
      () => sampleDoc([text], { isEncrypted: true }),
      'a.doc',
      'PASSWORD_NEEDED',
      /password/,
    ],
    [
      'a workbook with a password',
      () => compoundFile({ EncryptedPackage: Buffer.alloc(8) }),
      'a.xlsx',
      'PASSWORD_NEEDED',
      /password/,
    ],
    [
      'an ODT with a password',
      () =>
        zipArchive({
          mimetype: ODT,
          'META-INF/manifest.xml': '<m><file-entry><encryption-data/></file-entry></m>',
          'content.xml': 'x',
        }),
      'a.odt',
      'PASSWORD_NEEDED',
      /password/,
    ],
    [
      'a book with copy protection',
      () =>
        sampleEpub(
          ['<p>x</p>'],
          {},
          { 'META-INF/encryption.xml': '<e><CipherReference URI="OEBPS/text/chapter%200.xhtml"/></e>' },
        ),
      'a.epub',
      'PASSWORD_NEEDED',
      /copy protection/,
    ],
    [
      'a presentation that is cut off',
      () => truncated(samplePptx([{ title: text }])),
      'a.pptx',
      'DOCUMENT_BROKEN',
      /cut off/,
    ],
    [
      'a workbook that is cut off',
      () => truncated(sampleXlsx({ A: [[text]] })),
      'a.xlsx',
      'DOCUMENT_BROKEN',
      /cut off/,
    ],
    ['an old Word document that is cut off', () => truncated(sampleDoc([text])), 'a.doc', 'DOCUMENT_BROKEN', /missing/],
    ['data that is cut off', () => Buffer.from(`{"a": ["${text}"`), 'a.json', 'DOCUMENT_BROKEN', /cut off/],
    ['a presentation without words', () => samplePptx([{ picture: 'a.png' }]), 'a.pptx', 'NO_TEXT', /no words/],
    ['a workbook of empty sheets', () => sampleXlsx({ Sheet1: [] }), 'a.xlsx', 'NO_TEXT', /no words/],
    ['a table of separators', () => Buffer.from(',,,\n,,,\n,,,\n'), 'a.csv', 'NO_TEXT', /no words/],
    [
      'an OpenDocument sheet',
      () => zipArchive({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }),
      'a.odt',
      'UNKNOWN_TYPE',
      /spreadsheet/,
    ],
    [
      'an old Excel sheet',
      () => compoundFile({ Workbook: Buffer.alloc(8) }),
      'a.doc',
      'UNKNOWN_TYPE',
      /old Excel sheet/,
    ],
    [
      'a presentation without its manifest',
      () => zipArchive(presentation),
      'a.pptx',
      'UNKNOWN_TYPE',
      /application\/zip/,
    ],
  ])('is refused with its code and the next step: %s', async (_what, file, name, code, says) => {
    const failure: unknown = await parseBytes(file(), name).catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(CodedError);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(says), next: expect.stringMatching(/.{10}/) });
  });

  const macros = { macros: true };
  it.each<[what: string, file: () => Uint8Array, name: string, text: string]>([
    ['macros of a Word document', () => sampleDocx([text], {}, macros), 'a.docm', text],
    ['macros of a workbook', () => sampleXlsx({ A: [[text]] }, {}, macros), 'a.xlsm', `A\n\n${text}`],
    ['macros of a presentation', () => samplePptx([{ body: [text] }], {}, macros), 'a.pptm', text],
    ['200,000 empty rows', () => sampleXlsx({ A: [[text]] }, {}, { emptyRows: 200_000 }), 'a.xlsx', `A\n\n${text}`],
    ['pictures from outside', () => samplePptx([{ body: [text], picture: 'file:///etc/passwd' }]), 'a.pptx', text],
    [
      'files of this machine that a page shows',
      () =>
        Buffer.from(
          `<html><p>${text}</p><img src="file:///etc/passwd"><iframe src="file:///etc/passwd"></iframe></html>`,
        ),
      'a.html',
      text,
    ],
    [
      'entities that a page declares',
      () =>
        Buffer.from(
          `${laughs.replace('DOCTYPE a', 'DOCTYPE html')}<html><body><p>${text}</p><p>&l9;</p></body></html>`,
        ),
      'a.html',
      `${text}\n\n&l9;`,
    ],
    ['pictures that a note names', () => Buffer.from(`${text}\n\n![](file:///etc/passwd)\n`), 'a.md', text],
    [
      'parts that lead out of the archive',
      () => samplePptx([{ body: [text], picture: '../../../../etc/passwd' }]),
      'a.pptx',
      text,
    ],
    [
      'an archive behind a PDF',
      () => Buffer.concat([samplePdf([[text]]), zipArchive({ 'a.txt': 'other' })]),
      'a.zip',
      text,
    ],
    ['a wrong name', () => sampleOdt([text]), 'a.xlsx', text],
    [
      "entities of a book that are nobody's",
      () => sampleEpub([`<p>${text}</p><p>&l9;</p>`]),
      'a.epub',
      `${text}\n\n&l9;`,
    ],
  ])('is read without %s', async (_what, file, name, expected) => {
    expect((await parseBytes(file(), name)).text).toBe(expected);
  });
});

it.each(['application/pdf', 'image/png', 'text/html; charset=utf-16', 'no type at all'])(
  'a text is read as what it is where its sender calls it %s',
  async (declared) => {
    expect(await parseBytes(Buffer.from(text), 'a', declared)).toMatchObject({ contentType: 'text/plain', text });
  },
);

describe('what nobody sees', () => {
  const tags = [...'Say so.'].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join('');
  const hidden = `The har\u200bbour${tags} was\u202e built 🏗\ufe0f by the town.`;

  it.each([
    ['Markdown', 'a.md', Buffer.from(`# Har\u2060bour${tags}\n\n${hidden}\n\nA tax paid for it.`)],
    [
      'HTML',
      'a.html',
      Buffer.from(`<html><title>Har\u2060bour${tags}</title><p>${hidden}</p><p>A tax paid for it.</p></html>`),
    ],
    ['Word', 'a.docx', sampleDocx([{ heading: `Har\u2060bour${tags}`, level: 1 }, hidden, 'A tax paid for it.'])],
  ])('is in no text, no title and no count of %s', async (_, name, bytes) => {
    const { title, text, blocks } = await parseBytes(bytes, name);
    expect(title).toBe('Harbour');
    const signs = [...text];
    const last = blocks.slice(-2).map(({ start, end }) => signs.slice(start, end).join(''));
    expect(last).toEqual(['The harbour was built 🏗\ufe0f by the town.', 'A tax paid for it.']);
  });
});
