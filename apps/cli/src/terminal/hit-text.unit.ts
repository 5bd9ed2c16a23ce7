import { describe, expect, it } from 'vitest';
import type { Hit } from '../client/shapes.js';
import { hitText } from './hit-text.js';

const place = { id: 'p', text: 'Almanac\nIt holds 12 ships.', position: null, page: null, start: null, end: null };
const paragraph = { ...place, trail: [], document: { id: 'd', title: 'Almanac', sourceUri: null } };
const hit: Hit = {
  ...{ kind: 'PARAGRAPH', score: 0.9, relevance: 0.8 },
  ...{ why: [], rerank: null, duplicates: [], highlights: [], paragraph },
};
const style = { paint: { bold: same, dim: same, cyan: same, yellow: same, red: same, green: same }, columns: 80 };

function same(text: string): string {
  return text;
}

describe('a hit', () => {
  it('says where it stands, or that it is a summary', () => {
    const shown = (kind: string) => hitText({ ...hit, kind }, 1, { ...style, why: false }).split('\n')[0];
    expect(shown('PARAGRAPH')).toBe('1. Almanac');
    expect(shown('SUMMARY')).toBe('1. Almanac · summary of the document');
  });
});
