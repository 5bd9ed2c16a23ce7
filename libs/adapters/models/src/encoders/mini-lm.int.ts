import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Encoder } from '@postmaster/embedding';
import { encoderContract } from '@postmaster/testing/suites';
import { miniLM } from './mini-lm.js';

encoderContract('The bundled MiniLM', () => miniLM({ threads: 2 }));

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe('the bundled MiniLM', () => {
  let encoder: Encoder;
  beforeAll(async () => {
    encoder = await miniLM({ threads: 1 });
  });
  afterAll(() => encoder.close());

  it('brings sentences of one meaning near each other, and others not', async () => {
    const [cat, kitten, bank] = await encoder.embed(
      ['A cat sleeps on the sofa.', 'A kitten naps on the couch.', 'The central bank raised interest rates.'],
      'passage',
    );
    expect(cosine(cat!, kitten!)).toBeGreaterThan(0.7);
    expect(Math.abs(cosine(cat!, bank!))).toBeLessThan(0.1);
  });

  it('reads a question as it reads a passage', async () => {
    const [asked] = await encoder.embed(['Who sleeps there?'], 'query');
    expect(await encoder.embed(['Who sleeps there?'], 'passage')).toEqual([asked]);
  });

  it('takes 256 tokens, the two that frame a text among them, and not one more', async () => {
    expect(await encoder.windows('word '.repeat(254))).toHaveLength(1);
    expect(await encoder.embed(['word '.repeat(254)], 'passage')).toHaveLength(1);
    expect(await encoder.windows('word '.repeat(255))).toHaveLength(2);
    await expect(encoder.embed(['word '.repeat(255)], 'passage')).rejects.toMatchObject({ facts: { tokens: 257 } });
  });

  it('cuts a text that is too long into pieces of about as many tokens', async () => {
    const lengths = (await encoder.windows('word '.repeat(600))).map((piece) => piece.split(' ').length);
    expect(lengths).toEqual([200, 200, 200]);
  });
});
