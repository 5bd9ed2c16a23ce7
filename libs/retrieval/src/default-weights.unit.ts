import { describe, expect, it } from 'vitest';
import { defaultWeights } from './default-weights.js';
import { DEFAULT_WEIGHTS } from './fuse-scores.js';

const MINI_LM = 'minilm:all-minilm-l6-v2@1';

describe('default weights', () => {
  it('let words carry more where the encoder was not made for the language', () => {
    const danish = defaultWeights(MINI_LM, 'da');
    expect(danish.lexical).toBeGreaterThan(DEFAULT_WEIGHTS.lexical);
    expect(danish.context).toBeLessThan(DEFAULT_WEIGHTS.context);
  });

  it.each([
    ['its own language', MINI_LM, 'en'],
    ['a question whose language can not be told', MINI_LM, null],
    ['an encoder that is taken to know all', 'openai:bge-m3', 'da'],
  ])('stay as they are for %s', (_, encoder, language) => {
    expect(defaultWeights(encoder, language)).toEqual(DEFAULT_WEIGHTS);
  });
});
