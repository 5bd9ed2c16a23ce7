import { beforeAll, describe, expect, it } from 'vitest';
import { type Chunking, CHUNKINGS } from '@postmaster/contracts';
import { FakeEncoder, seeded } from '@postmaster/testing';
import type { Block } from '../block.js';
import type { ChunkableDocument, ChunkedParagraph } from './chunker.js';
import { codePointsOf } from './code-points.js';
import { countWords } from './count-words.js';
import { STRATEGIES } from './strategies.js';

const VOCABULARY =
  'vi skal 😀 data æøå ﬁ the of Dr. ca. 3.14 漢字漢字漢字 https://example.org/a-long-path-of-an-address rule harbour boat'.split(
    ' ',
  );
const KINDS: Block['kind'][] = ['heading', 'text', 'text', 'text', 'list', 'table', 'code'];
const WORDS = 40;

/** Blocks of every kind over several pages; some sentences longer than a paragraph, some runs without any space. */
const documentOf = (seed: number): ChunkableDocument => {
  const random = seeded(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const word = (): string => VOCABULARY[below(VOCABULARY.length)] ?? '';
  const sentence = (): string =>
    Array.from({ length: 1 + below(below(9) === 0 ? 90 : 20) }, word).join(' ') + (below(5) === 0 ? '' : '.');
  const blocks: Block[] = [];
  const pageStarts = [0];
  let text = '';
  for (let at = 0; at < 25; at++) {
    if (text !== '') text += below(4) === 0 ? '\n\n  ' : '\n\n';
    const start = codePointsOf(text).length;
    const kind = KINDS[below(KINDS.length)] ?? 'text';
    if (kind === 'heading') text += `Part ${at}`;
    else if (below(12) === 0) text += '漢'.repeat(150 + below(300));
    else text += Array.from({ length: 1 + below(12) }, sentence).join(kind === 'text' ? ' ' : '\n');
    if (below(6) === 0) pageStarts.push(start);
    const level = kind === 'heading' && { level: 1 + below(3) };
    blocks.push({ kind, start, end: codePointsOf(text).length, page: pageStarts.length, ...level });
  }
  return { text, blocks, language: 'da', pageStarts };
};

const DOCUMENTS = Array.from({ length: 8 }, (_, seed) => documentOf(seed + 1));
const encoder = new FakeEncoder('fake:words-1', 16, 10_000);
const encode = (texts: readonly string[]): Promise<Float32Array[]> => encoder.embed(texts);
const bare = (text: string): string => text.replace(/\s+/g, '');
const MOST: Partial<Record<Chunking, number>> = { headings: 4.5 * WORDS, 'parent-child': 3 * WORDS };

describe.each(CHUNKINGS)('%s', (name) => {
  const chunk = async (document: ChunkableDocument): Promise<ChunkedParagraph[]> =>
    STRATEGIES[name](document, { words: WORDS, long: 'split' }, encode);
  let chunked: { document: ChunkableDocument; paragraphs: ChunkedParagraph[] }[];
  beforeAll(async () => {
    chunked = await Promise.all(DOCUMENTS.map(async (document) => ({ document, paragraphs: await chunk(document) })));
  });

  it('leaves asides out, and goes over none', async () => {
    for (const document of DOCUMENTS) {
      const blocks = document.blocks.map((block, at) => (at % 3 === 1 ? { ...block, kind: 'aside' as const } : block));
      const asides = blocks.filter(({ kind }) => kind === 'aside');
      const paragraphs = await chunk({ ...document, blocks });
      const over = paragraphs.filter(({ start, end }) =>
        asides.some((aside) => start < aside.end && end > aside.start),
      );
      expect([paragraphs.length > 0, over]).toEqual([true, []]);
    }
  });

  it('gives slices of the text by code points, in order, none within another, each on the page it begins on', () => {
    for (const { document, paragraphs } of chunked) {
      const points = [...document.text];
      const faulty = paragraphs.filter(({ text, start, end, position, page, parent }, index) => {
        const before = paragraphs[index - 1] ?? { start: -1, end: 0 };
        const isSlice = points.slice(start, end).join('') === text && text.trim() === text && text !== '';
        const isInOrder = position === index && start > before.start && end > before.end;
        const isOnPage = page === document.pageStarts!.filter((pageStart) => pageStart <= start).length;
        const isInParent = !parent || (parent.start <= start && end <= parent.end);
        return !(isSlice && isInOrder && isOnPage && isInParent);
      });
      expect(faulty).toEqual([]);
      expect(paragraphs.length).toBeGreaterThan(10);
    }
  });

  it('loses nothing: what is in no paragraph is space, or a heading that a trail has', () => {
    for (const { document, paragraphs } of chunked) {
      const points = codePointsOf(document.text);
      const trails = new Set(paragraphs.flatMap(({ trail }) => trail));
      const lost = document.blocks.flatMap(({ kind, start, end }) => {
        if (kind === 'heading' && trails.has(points.slice(start, end))) return [];
        const gaps: string[] = [];
        let at = start;
        for (const paragraph of paragraphs) {
          if (paragraph.end <= at || paragraph.start >= end) continue;
          if (paragraph.start > at) gaps.push(points.slice(at, paragraph.start));
          at = paragraph.end;
        }
        return bare(gaps.join('') + (at < end ? points.slice(at, end) : ''));
      });
      expect(lost.join('')).toBe('');
    }
  });

  it('gives the same again', async () => {
    for (const { document, paragraphs } of chunked.slice(0, 3)) expect(await chunk(document)).toEqual(paragraphs);
  });

  it('has a bound on what a paragraph holds', () => {
    const counts = chunked.flatMap(({ paragraphs }) => paragraphs.map(({ text }) => countWords(text)));
    expect(Math.max(...counts)).toBeLessThanOrEqual((MOST[name] ?? 1.5 * WORDS) + 15); // a run without spaces: 12 words
  });

  it('makes nothing of a document without text', async () => {
    expect(await chunk({ text: '\n \n', blocks: [], language: null })).toEqual([]);
  });
});

const plain = (...blocks: [kind: Block['kind'], text: string][]): ChunkableDocument => {
  const document: ChunkableDocument = { text: '', blocks: [], language: 'en' };
  for (const [kind, own] of blocks) {
    if (document.text !== '') document.text += '\n\n';
    const start = document.text.length;
    document.text += own;
    document.blocks.push({ kind, start, end: document.text.length, ...(kind === 'heading' && { level: 1 }) });
  }
  return document;
};
const textsOf = async (name: keyof typeof STRATEGIES, document: ChunkableDocument, words = WORDS): Promise<string[]> =>
  (await STRATEGIES[name](document, { words, long: 'split' }, encode)).map(({ text }) => text);
const sentence = (start: string, words: number): string =>
  `${start} ${Array.from({ length: words - 1 }, (_, i) => `w${i}`).join(' ')}.`;

describe('what makes each strategy', () => {
  it('windows of five sentences begin every three', async () => {
    const document = plain(['text', Array.from({ length: 8 }, (_, i) => sentence(`S${i}`, 4)).join(' ')]);
    const windows = await textsOf('sentence-windows', document);
    expect(windows.map((text) => text.match(/S\d/g))).toEqual([
      ['S0', 'S1', 'S2', 'S3', 'S4'],
      ['S3', 'S4', 'S5', 'S6', 'S7'],
    ]);
  });

  it('tokens come in runs of one length, a fifth of which is the run before', async () => {
    const document = plain(['text', Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')]);
    const runs = await textsOf('tokens', document);
    expect(runs.map((text) => [text.split(' ')[0], text.split(' ').length])).toEqual([
      ['w0', 40],
      ['w32', 40],
      ['w64', 36],
    ]);
  });

  it('tokens stop early for the end of a sentence', async () => {
    const document = plain(['text', `${sentence('A', 35)} ${sentence('B', 30)}`]);
    expect((await textsOf('tokens', document))[0]).toBe(sentence('A', 35));
  });

  it('headings keep a section whole over pages, and divide one of more than three paragraphs', async () => {
    const document = plain(
      ['heading', 'First'],
      ['text', sentence('A', 30)],
      ['text', sentence('B', 30)],
      ['heading', 'Second'],
      ['text', Array.from({ length: 10 }, (_, i) => sentence(`S${i}`, 20)).join(' ')],
    );
    document.pageStarts = [0, document.blocks[2]!.start];
    document.blocks[2]!.page = 2;
    const [whole, ...rest] = await STRATEGIES.headings(document, { words: WORDS, long: 'refuse' }, encode);
    expect(whole).toMatchObject({ trail: ['First'], text: `${sentence('A', 30)}\n\n${sentence('B', 30)}`, page: 1 });
    expect(rest.length).toBeGreaterThan(1);
    expect(new Set(rest.map(({ trail }) => trail[0]))).toEqual(new Set(['Second']));
  });

  it('semantic breaks where the subject changes, even where counting would not', async () => {
    const [boats, bread] = ['The boats sail in the harbour', 'A bread of rye needs yeast'];
    const document = plain(['text', `${boats}. ${boats} now. ${boats} too. ${bread}. ${bread} now. ${bread} too.`]);
    const texts = await textsOf('semantic', document);
    expect(texts.map((text) => [text.includes('boats'), text.includes('bread')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('a child is small and knows the whole that it is read in', async () => {
    const own = Array.from({ length: 6 }, (_, i) => sentence(`S${i}`, 10)).join(' ');
    const document = plain(['heading', 'Title'], ['text', own], ['heading', 'Short'], ['text', 'All of it.']);
    const children = await STRATEGIES['parent-child'](document, { words: WORDS, long: 'split' }, encode);
    const [first] = children;
    expect(children.length).toBeGreaterThan(3);
    expect(countWords(first!.text)).toBeLessThan(WORDS / 2);
    expect(document.text.slice(first!.parent!.start, first!.parent!.end)).toBe(own);
    expect(children.at(-1)).toMatchObject({ text: 'All of it.' });
    expect(children.at(-1)).not.toHaveProperty('parent');
  });
});
