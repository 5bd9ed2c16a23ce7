import { describe, expect, it } from 'vitest';
import type { Block, ParsedDocument } from '../block.js';
import type { ChunkSettings } from './chunker.js';
import { byParagraphs } from './paragraphs.js';
import { codePointsOf } from './code-points.js';

/** A small generator of even numbers (mulberry32), so that a failing document can be made again from its seed. */
const generator = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) % 1_000_003) % below;
  };
};

const VOCABULARY =
  'vi skal bruge 😀 data æøå ﬁ the of Dr. ca. note 3.14 漢字 https://example.org/a-long-path-of-an-address rule'.split(
    ' ',
  );
const KINDS: Block['kind'][] = ['heading', 'text', 'text', 'text', 'text', 'list', 'table', 'code'];

type Content = [kind: Block['kind'], text: string, level: number];

const randomContent = (seed: number, blocks: number): Content[] => {
  const below = generator(seed);
  const sentence = (): string =>
    Array.from({ length: 1 + below(25) }, () => VOCABULARY[below(VOCABULARY.length)]).join(' ') + '.';
  return Array.from({ length: blocks }, (): Content => {
    const kind = KINDS[below(KINDS.length)] ?? 'text';
    if (kind === 'heading') return [kind, `Part ${below(1000)}`, 1 + below(4)];
    const separator = kind === 'text' ? ' ' : below(3) === 0 ? '\n  ' : '\n';
    return [kind, Array.from({ length: 1 + below(below(4) === 0 ? 40 : 4) }, sentence).join(separator), 0];
  });
};

const documentOf = (content: readonly Content[]): Pick<ParsedDocument, 'text' | 'blocks' | 'language'> => {
  let text = '';
  const blocks = content.map(([kind, own, level]): Block => {
    if (text !== '') text += '\n\n';
    const start = codePointsOf(text).length;
    text += own;
    return { kind, start, end: codePointsOf(text).length, ...(kind === 'heading' && { level }) };
  });
  return { text, blocks, language: 'da' };
};

const OPTIONS: ChunkSettings = { words: 60, long: 'split' };
const SEEDS = Array.from({ length: 15 }, (_, index) => index + 1);
const letters = (text: string): string => text.replace(/\s+/g, '');

describe('every document', () => {
  it('has paragraphs that are slices of its text, in order and without overlap', () => {
    for (const seed of SEEDS) {
      const document = documentOf(randomContent(seed, 30));
      const points = [...document.text];
      let before = 0;
      byParagraphs(document, OPTIONS).forEach((paragraph, index) => {
        expect(points.slice(paragraph.start, paragraph.end).join('')).toBe(paragraph.text);
        expect(paragraph.text.trim()).not.toBe('');
        expect(paragraph.start).toBeGreaterThanOrEqual(before);
        expect(paragraph.position).toBe(index);
        before = paragraph.end;
      });
    }
  });

  it('loses no letter: each is in a paragraph or in a trail', () => {
    for (const seed of SEEDS) {
      const document = documentOf(randomContent(seed, 30));
      const points = codePointsOf(document.text);
      const paragraphs = byParagraphs(document, OPTIONS);
      const trails = new Set(paragraphs.flatMap(({ trail }) => trail));
      const inTrails = document.blocks.filter(
        (block) => block.kind === 'heading' && trails.has(points.slice(block.start, block.end)),
      );
      const covered = paragraphs.map(({ text }) => text).join('');
      for (const block of document.blocks) {
        const own = points.slice(block.start, block.end);
        if (block.kind === 'heading') expect(inTrails.includes(block) || covered.includes(own)).toBe(true);
      }
      const body = document.blocks
        .filter(({ kind }) => kind !== 'heading')
        .map((block) => points.slice(block.start, block.end));
      const bare = paragraphs.filter(({ text }) => !/^(Part \d+\s*)+$/.test(text));
      expect(letters(bare.map(({ text }) => text).join(''))).toBe(letters(body.join('')));
    }
  });

  it('gives the same paragraphs again', () => {
    const document = documentOf(randomContent(7, 60));
    expect(byParagraphs(document, OPTIONS)).toEqual(byParagraphs(document, OPTIONS));
  });

  it('keeps nearly all paragraphs when one block of it changes', () => {
    let kept = 0;
    let total = 0;
    for (const seed of SEEDS) {
      const content = randomContent(seed, 60);
      const at = content.findIndex(([kind], index) => kind === 'text' && index > 20);
      const edited = content.with(at, ['text', 'Something quite different stands here now.', 0]);
      const before = new Set(byParagraphs(documentOf(content), OPTIONS).map(({ text }) => text));
      const after = byParagraphs(documentOf(edited), OPTIONS).map(({ text }) => text);
      kept += after.filter((text) => before.has(text)).length;
      total += after.length;
    }
    expect(kept / total).toBeGreaterThan(0.95);
  });

  it('finds its borders again after a change within a run of small paragraphs', () => {
    const lines = Array.from({ length: 300 }, (_, index): Content => [
      'text',
      `Line ${index} of a long talk, said aloud.`,
      0,
    ]);
    const before = new Set(byParagraphs(documentOf(lines), OPTIONS).map(({ text }) => text));
    const after = byParagraphs(
      documentOf([['text', 'A new first line that is about as long as any.', 0], ...lines]),
      OPTIONS,
    );
    expect(after.filter(({ text }) => before.has(text)).length).toBeGreaterThan(after.length * 0.8);
  });

  it('finds its borders again after a new row at the start of a long table', () => {
    const rows = Array.from({ length: 400 }, (_, index) => `${index} | value ${index * 7} | of the table`);
    const before = new Set(byParagraphs(documentOf([['table', rows.join('\n'), 0]]), OPTIONS).map(({ text }) => text));
    const after = byParagraphs(documentOf([['table', ['new | row | here', ...rows].join('\n'), 0]]), OPTIONS);
    expect(after.filter(({ text }) => before.has(text)).length).toBeGreaterThan(after.length * 0.8);
  });
});
