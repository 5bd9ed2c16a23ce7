import { describe, expect, it } from 'vitest';
import { byName, inOnePiece } from './row-vectors.js';
import { NO_VECTORS } from './stored-point.js';

const vector = (value: number): Float32Array => Float32Array.of(value, 0.5);

describe('the vectors of a row in one piece', () => {
  it.each([
    ['none', {}],
    ['of the text alone', { paragraph: [vector(1)] }],
    ['of every name', { paragraph: [vector(1)], simple_questions: [vector(2), vector(3)], scope: [vector(4)] }],
    ['of the later list alone', { complex_questions: [vector(1), vector(2)] }],
    ['of the earlier list alone', { simple_questions: [vector(1), vector(2)] }],
    ['of one name between two without', { context: [vector(1)], complex_questions: [vector(2)] }],
  ])('are each under its name again: %s', (_, given) => {
    const vectors = { ...NO_VECTORS, ...given };
    expect(byName(inOnePiece(vectors))).toEqual(vectors);
  });
});
