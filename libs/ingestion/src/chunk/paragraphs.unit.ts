import { describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import type { Block } from '../block.js';
import type { ChunkedParagraph, ChunkSettings } from './chunker.js';
import { byParagraphs } from './paragraphs.js';
import { codePointsOf } from './code-points.js';

type Piece = [kind: Block['kind'], text: string, extra?: Partial<Block>];

const documentOf = (pieces: readonly Piece[], language: string | null = 'en') => {
  const blocks: Block[] = [];
  let text = '';
  for (const [kind, own, extra] of pieces) {
    if (text !== '') text += '\n\n';
    const start = codePointsOf(text).length;
    text += own;
    blocks.push({ kind, start, end: codePointsOf(text).length, ...extra });
  }
  return { text, blocks, language };
};

const OPTIONS: ChunkSettings = { words: 120, long: 'split' };
const words = (count: number, word = 'word'): string => Array.from({ length: count }, () => word).join(' ');
const sentences = (count: number, of = 10): string =>
  Array.from({ length: count }, (_, index) => `Sentence${index} ${words(of - 1)}.`).join(' ');
const texts = (paragraphs: readonly ChunkedParagraph[]): string[] => paragraphs.map(({ text }) => text);

describe('by paragraphs', () => {
  it('keeps a paragraph of a common length by itself', () => {
    const document = documentOf([
      ['text', words(50, 'first')],
      ['text', words(60, 'second')],
    ]);
    expect(texts(byParagraphs(document, OPTIONS))).toEqual([words(50, 'first'), words(60, 'second')]);
  });

  it('gathers small neighbours under one heading, and never over a heading', () => {
    const document = documentOf([
      ['text', words(30, 'a')],
      ['text', words(30, 'b')],
      ['heading', 'Next', { level: 1 }],
      ['text', words(30, 'c')],
    ]);
    const paragraphs = byParagraphs(document, OPTIONS);
    expect(paragraphs.map(({ trail }) => trail)).toEqual([[], ['Next']]);
    expect(paragraphs[0]?.text).toBe(`${words(30, 'a')}\n\n${words(30, 'b')}`);
  });

  it('carries the headings above as a trail, outermost first', () => {
    const document = documentOf([
      ['heading', 'Guide', { level: 1 }],
      ['heading', 'Install', { level: 2 }],
      ['text', words(50)],
      ['heading', 'Linux', { level: 3 }],
      ['text', words(50)],
      ['heading', 'Use', { level: 2 }],
      ['text', words(50)],
    ]);
    expect(byParagraphs(document, OPTIONS).map(({ trail }) => trail)).toEqual([
      ['Guide', 'Install'],
      ['Guide', 'Install', 'Linux'],
      ['Guide', 'Use'],
    ]);
  });

  it('makes a paragraph of headings that nothing stands under', () => {
    const document = documentOf([
      ['heading', 'Guide', { level: 1 }],
      ['text', words(50)],
      ['heading', 'Empty', { level: 2 }],
      ['heading', 'Also empty', { level: 2 }],
    ]);
    const paragraphs = byParagraphs(document, OPTIONS);
    expect(paragraphs.at(-1)).toMatchObject({ text: 'Empty\n\nAlso empty', kind: 'text', trail: ['Guide'] });
  });

  it('takes a "heading" of more than thirty words for text', () => {
    const paragraphs = byParagraphs(
      documentOf([
        ['heading', words(40), { level: 1 }],
        ['text', words(50)],
      ]),
      OPTIONS,
    );
    expect(paragraphs).toHaveLength(2);
    expect(paragraphs[1]?.trail).toEqual([]);
  });

  it('cuts a long paragraph at sentence ends', () => {
    const paragraphs = byParagraphs(documentOf([['text', sentences(40)]]), OPTIONS);
    expect(paragraphs.length).toBeGreaterThan(2);
    for (const { text } of paragraphs) {
      expect(text).toMatch(/^Sentence\d+ .*\.$/);
      expect(text.split(' ').length).toBeLessThanOrEqual(150);
    }
  });

  it('leaves a paragraph of one and a half times the length whole', () => {
    expect(byParagraphs(documentOf([['text', sentences(17)]]), OPTIONS)).toHaveLength(1);
  });

  it('does not take an abbreviation for the end of a sentence', () => {
    const sentence = 'Reglen gælder f.eks. Danmark og bl.a. Norge, se nr. Tolv hos Dr. Hansen.';
    const text = Array.from({ length: 40 }, () => sentence).join(' ');
    const paragraphs = byParagraphs(documentOf([['text', text]], 'da'), OPTIONS);
    expect(paragraphs.length).toBeGreaterThan(3);
    for (const paragraph of paragraphs) expect(paragraph.text).toMatch(/^Reglen .* Hansen\.$/);
  });

  it('cuts a sentence that is too long between its words', () => {
    const paragraphs = byParagraphs(documentOf([['text', words(400)]]), OPTIONS);
    expect(paragraphs.length).toBeGreaterThan(3);
    for (const { text } of paragraphs) expect(text).toMatch(/^word( word)*$/);
  });

  it('cuts a table between its rows, keeping their order', () => {
    const rows = Array.from({ length: 60 }, (_, index) => `row ${index} | ${words(8)}`);
    const paragraphs = byParagraphs(documentOf([['table', rows.join('\n')]]), OPTIONS);
    expect(paragraphs.length).toBeGreaterThan(3);
    expect(texts(paragraphs).flatMap((text) => text.split('\n'))).toEqual(rows);
    expect(paragraphs.every(({ kind }) => kind === 'table')).toBe(true);
  });

  it('keeps a lead-in with the list that follows it', () => {
    const document = documentOf([
      ['text', words(60)],
      ['text', 'You need:'],
      ['list', `- ${words(40)}\n- ${words(40)}`],
    ]);
    const paragraphs = byParagraphs(document, OPTIONS);
    expect(paragraphs).toHaveLength(2);
    expect(paragraphs[1]?.text).toMatch(/^You need:\n\n- /);
    expect(paragraphs[1]?.kind).toBe('list');
  });

  it('refuses a long paragraph where the tenant wants that, naming its page and beginning', () => {
    const document = documentOf([['text', `Whereas ${words(300)}`, { page: 3 }]]);
    const refused = (): unknown => byParagraphs(document, { words: 120, long: 'refuse' });
    expect(refused).toThrow(CodedError);
    expect(refused).toThrow(/on page 3 has 301 words, more than the 180 allowed: "Whereas/);
  });

  it('does not refuse a long table, whose rows can be parted', () => {
    const rows = Array.from({ length: 60 }, () => words(8)).join('\n');
    expect(byParagraphs(documentOf([['table', rows]]), { words: 120, long: 'refuse' }).length).toBeGreaterThan(3);
  });

  it('says on which page each piece of a paragraph over two pages starts', () => {
    const document = { ...documentOf([['text', sentences(40), { page: 1 }]]), pageStarts: [0, 900] };
    const paragraphs = byParagraphs(document, OPTIONS);
    expect(paragraphs.map(({ page, start }) => page === (start < 900 ? 1 : 2))).not.toContain(false);
    expect(new Set(paragraphs.map(({ page }) => page))).toEqual(new Set([1, 2]));
  });

  it('counts offsets in code points, beyond letters that JavaScript counts twice', () => {
    const document = documentOf([
      ['text', `😀 ${words(50)}`],
      ['text', `🚀 ${words(50)}`],
    ]);
    const [, second] = byParagraphs(document, OPTIONS);
    expect([...document.text].slice(second?.start, second?.end).join('')).toBe(second?.text);
    expect(second?.text).toMatch(/^🚀 word/);
  });

  it('does not gather what begins on different pages: a citation names one', () => {
    const document = documentOf([
      ['text', words(10, 'first'), { page: 1 }],
      ['text', words(10, 'second'), { page: 2 }],
    ]);
    expect(byParagraphs(document, OPTIONS).map(({ page }) => page)).toEqual([1, 2]);
  });

  it("gives a paragraph its own language, else the document's", () => {
    const document = documentOf([
      ['text', words(50), { language: 'da' }],
      ['text', words(50)],
    ]);
    expect(byParagraphs(document, OPTIONS).map(({ language }) => language)).toEqual(['da', 'en']);
  });

  it('makes nothing of a document without blocks', () => {
    expect(byParagraphs({ text: '', blocks: [], language: null }, OPTIONS)).toEqual([]);
  });
});
