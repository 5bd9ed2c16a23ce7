import { describe, expect, it } from 'vitest';
import { answerPlaces, judgeByPlace } from './answer-places.js';

const whole = 'The 😀 boiler runs at 1.5 bar.\n\nThe gate opens at 8, the boiler at 1.5 bar too.';
const texts = new Map([['d', whole]]);
const [first = '', second = ''] = whole.split('\n\n');

describe('where an answer lies', () => {
  it('is its place in the right paragraph alone, in code points and any case', () => {
    const [place, ...more] = answerPlaces(texts, [{ document: 'd', text: first }], ['1.5 BAR']);
    expect(more).toEqual([]);
    expect([...whole].slice(place!.start, place!.end).join('')).toBe('1.5 bar');
    expect(answerPlaces(texts, [{ document: 'd', text: second }], ['1.5 bar'])[0]?.start).toBeGreaterThan(place!.end);
  });

  it("is nowhere where the text is not the document's, or the answer not in it", () => {
    expect(answerPlaces(texts, [{ document: 'd', text: 'Other words.' }], ['words'])).toEqual([]);
    expect(answerPlaces(texts, [{ document: 'd', text: first }], ['(1.5'])).toEqual([]);
  });

  it('makes right each chunk that holds it whole, overlapping ones too, and none that cuts it', () => {
    const place = { document: 'd', start: 10, end: 20 };
    const chunk = (id: string, start: number, end: number, document = 'd') => ({ id, document, start, end });
    const chunks = [
      chunk('a', 0, 20),
      chunk('b', 10, 30),
      chunk('late', 11, 40),
      chunk('short', 0, 19),
      chunk('other', 0, 90, 'e'),
    ];
    expect([...judgeByPlace(chunks, [place]).keys()]).toEqual(['a', 'b']);
  });
});
