import { describe, expect, it } from 'vitest';
import { SentenceBuffer } from './sentence-buffer.js';

const through = (pieces: Iterable<string>): string[] => {
  const buffer = new SentenceBuffer();
  const out: string[] = [];
  for (const piece of pieces) out.push(...buffer.push(piece));
  return [...out, ...buffer.end()];
};

const ANSWER =
  'Dr. Vest found 1.5 kg of it [1]. He left in 1990. [2, 3][4] “Why?” is unknown.\n\n- Bread costs 3.5 kr [5]\n- Milk [6].\nThe end';

describe('SentenceBuffer', () => {
  it('gives back whole sentences with the citations that follow them', () => {
    expect(through([ANSWER])).toEqual([
      'Dr. Vest found 1.5 kg of it [1]. ',
      'He left in 1990. [2, 3][4] ',
      '“Why?” is unknown.\n\n',
      '- Bread costs 3.5 kr [5]\n',
      '- Milk [6].\n',
      'The end',
    ]);
  });

  it('cuts alike whatever pieces the text comes in', () => {
    const whole = through([ANSWER]);
    expect(through(ANSWER)).toEqual(whole);
    for (let size = 2; size < 12; size++) {
      const pieces = Array.from({ length: Math.ceil(ANSWER.length / size) }, (_, i) =>
        ANSWER.slice(i * size, (i + 1) * size),
      );
      expect(through(pieces)).toEqual(whole);
    }
  });

  it('holds a sentence back until no citation can follow', () => {
    const buffer = new SentenceBuffer();
    expect(buffer.push('It is so. ')).toEqual([]);
    expect(buffer.push('[')).toEqual([]);
    expect(buffer.push('12')).toEqual([]);
    expect(buffer.push('] And')).toEqual(['It is so. [12] ']);
  });

  it('loses nothing', () => {
    for (const text of [ANSWER, '', '...', '[1]', 'no end [', 'a.b.c. D', '\n\n\nx\n'])
      expect(through([...text]).join('')).toBe(text);
  });
});
