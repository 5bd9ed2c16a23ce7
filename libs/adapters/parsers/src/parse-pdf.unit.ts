import { describe, expect, it } from 'vitest';
import { placedPdf, samplePdf, type PdfLine } from '@postmaster/testing';
import { parseBytes } from './parse-bytes.js';
import { codePointSlices } from './plain-text.js';

const textsOf = async (file: Uint8Array): Promise<string[]> => {
  const { text, blocks } = await parseBytes(file, 'file.pdf');
  return codePointSlices(text, blocks);
};
const column = (lines: readonly string[], x: number, y: number): PdfLine[] =>
  lines.map((text, index) => ({ text, x, y: y - index * 14 }));

const long = 'The harbour was built by the town, which paid for it over thirty years with a tax on herring.';

describe('PDF', () => {
  it("leaves the engine's own push in place, which pdf.js replaces with a slower one", async () => {
    const { push } = Array.prototype;
    await parseBytes(samplePdf([[long]]), 'file.pdf');
    expect(Array.prototype.push).toBe(push);
    expect(Object.keys(Array.prototype)).toEqual([]);
  });

  it('gives headings and paragraphs, with the page on which each starts', async () => {
    const parsed = await parseBytes(
      samplePdf([
        ['# Harbour', `${long} ${long}`, 'It was deep.'],
        ['# Trade', `Ål og sild. ${long}`],
      ]),
      'file.pdf',
    );
    expect(parsed.contentType).toBe('application/pdf');
    expect(parsed.blocks.map(({ kind, page }) => [kind, page])).toEqual([
      ['heading', 1],
      ['text', 1],
      ['text', 1],
      ['heading', 2],
      ['text', 2],
    ]);
    expect(codePointSlices(parsed.text, parsed.blocks)[1]).toBe(`${long} ${long}`);
    expect(parsed.text).toContain('Ål og sild.');
    expect(parsed.metadata).toEqual({ pages: 2 });
  });

  it('takes the title and date of the file, else its first heading', async () => {
    const facts = { title: 'The Harbour Book', created: "D:20240131093000+01'00'" };
    const parsed = await parseBytes(samplePdf([['# Harbour', long]], facts), 'a.pdf');
    expect([parsed.title, parsed.createdAt]).toEqual(['The Harbour Book', '2024-01-31T08:30:00.000Z']);
    const untitled = await parseBytes(samplePdf([['# Harbour', long]], { title: 'Microsoft Word - x.doc' }), 'a.pdf');
    expect(untitled.title).toBe('Harbour');
  });

  it('reads one column after the other', async () => {
    const left = [
      'Left one starts the story here',
      'and goes on about the harbour',
      'that was built by the town',
      'with a tax on herring catches',
      'and ends with a full stop.',
    ];
    const right = [
      'Right one tells of trade with',
      'the towns across the sound and',
      'of what they paid for salt and',
      'what they got for their fish',
      'in the years of plenty.',
    ];
    const lines = left.flatMap((_, index) => [
      ...column(left, 72, 700).slice(index, index + 1),
      ...column(right, 320, 700).slice(index, index + 1),
    ]);
    const texts = await textsOf(placedPdf([lines]));
    expect(texts.map((text) => text.replace(/\n/g, ' '))).toEqual([left.join(' '), right.join(' ')]);
  });

  it('reads a table by its rows', async () => {
    const rows = [
      ['Fish', 'Price'],
      ['Herring', '2.50'],
      ['Cod', '4.00'],
      ['Eel', '9.75'],
    ];
    const lines = rows.flatMap(([fish = '', price = ''], index) => [
      { text: fish, x: 72, y: 700 - index * 14 },
      { text: price, x: 250, y: 700 - index * 14 },
    ]);
    const parsed = await parseBytes(placedPdf([lines]), 'a.pdf');
    expect(parsed.text).toBe('Fish | Price\nHerring | 2.50\nCod | 4.00\nEel | 9.75');
    expect(parsed.blocks[0]?.kind).toBe('table');
  });

  it('keeps the cells of a row that leaves some out in their columns', async () => {
    const rows = [
      ['Code', 'Place', 'Expected', 'State'],
      ['SKU-8847', 'A-12', '450', ''],
      ['', 'B-07', '', 'OK'],
      ['SKU-9201', '', '780', 'OK'],
    ];
    const lines = rows.flatMap((row, index) =>
      row.flatMap((text, column) => (text === '' ? [] : [{ text, x: 72 + column * 120, y: 700 - index * 24 }])),
    );
    expect((await parseBytes(placedPdf([lines]), 'a.pdf')).text).toBe(
      'Code | Place | Expected | State\nSKU-8847 | A-12 | 450\n | B-07 |  | OK\nSKU-9201 |  | 780 | OK',
    );
  });

  it('leaves out running heads and page numbers', async () => {
    const page = (number: number): PdfLine[] => [
      { text: 'Annual report of the harbour', x: 72, y: 800 },
      ...column([`Chapter ${number} tells of the year ${1900 + number}.`], 72, 600),
      { text: `Page ${number} of 3`, x: 280, y: 40 },
    ];
    expect(await textsOf(placedPdf([page(1), page(2), page(3)]))).toEqual(
      [1, 2, 3].map((n) => `Chapter ${n} tells of the year ${1900 + n}.`),
    );
  });

  it('joins a word that was divided at the end of a line, and keeps a hyphen that the document writes elsewhere', async () => {
    const lines = [
      'The fisher-men and the trades-',
      'men of the town had a long-',
      'standing quarrel, long-standing indeed.',
    ];
    expect(await textsOf(placedPdf([column(lines, 72, 700)]))).toEqual([
      'The fisher-men and the tradesmen of the town had a long-standing quarrel, long-standing indeed.',
    ]);
  });

  it('lets a paragraph run on over the end of a page, and knows where the next page starts', async () => {
    const parsed = await parseBytes(
      placedPdf([
        column(['The town paid for it over many'], 72, 700),
        column(['years with a tax on herring.'], 72, 700),
      ]),
      'a.pdf',
    );
    expect(parsed.text).toBe('The town paid for it over many years with a tax on herring.');
    expect(parsed.blocks).toEqual([expect.objectContaining({ page: 1, start: 0 })]);
    expect(parsed.pageStarts).toEqual([0, 'The town paid for it over many '.length]);
  });

  it('keeps the lines of an address apart, which ended before their room did', async () => {
    const lines = [
      ...column(['Havnekontoret', 'Kajen 4', '8000 Aarhus'], 72, 700),
      { text: `${long} So it was.`, x: 72, y: 600 },
    ];
    expect((await textsOf(placedPdf([lines])))[0]).toBe('Havnekontoret\nKajen 4\n8000 Aarhus');
  });
});
