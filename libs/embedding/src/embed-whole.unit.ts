import { describe, expect, it } from 'vitest';
import { embedWhole } from './embed-whole.js';
import type { Encoder } from './encoder.js';

/** Takes 4 characters a text and 2 texts a call; a vector points at a letter's place, as the text begins. */
const letters = (): Encoder & { calls: number } => ({
  id: 'letters:1',
  dimension: 3,
  maxTokens: 4,
  maxTextsPerCall: 2,
  calls: 0,
  async embed(texts) {
    this.calls++;
    if (texts.length > this.maxTextsPerCall || texts.some((text) => text.length > 4)) throw new Error('too much');
    return texts.map((text) => Float32Array.from('abc', (letter) => (text.startsWith(letter) ? 1 : 0)));
  },
  windows: async (text) => text.match(/.{1,4}/g) ?? [text],
  hold: () => () => undefined,
  close: async () => undefined,
});

const rounded = (vector: Float32Array): number[] => [...vector].map((value) => Math.round(value * 1000) / 1000);

describe('embedding texts whole', () => {
  it('gives the encoder’s own vector for a text that fits', async () => {
    expect(await embedWhole(letters(), ['a', 'b'], 'passage')).toEqual([
      { vector: Float32Array.of(1, 0, 0), windows: 1 },
      { vector: Float32Array.of(0, 1, 0), windows: 1 },
    ]);
  });

  it('averages the windows of a text that is too long, at unit length, and says how many there were', async () => {
    const [first, long, last] = await embedWhole(letters(), ['c', 'aaaabbbb', 'c'], 'passage');
    expect([first?.windows, long?.windows, last?.windows]).toEqual([1, 2, 1]);
    expect(rounded(long!.vector)).toEqual([0.707, 0.707, 0]);
    expect([...last!.vector]).toEqual([0, 0, 1]);
  });

  it('weighs every window alike', async () => {
    const [long] = await embedWhole(letters(), ['aaaaaaaab'], 'query');
    expect(rounded(long!.vector)).toEqual([0.894, 0.447, 0]);
  });

  it('asks for no more texts a call than the encoder takes', async () => {
    const encoder = letters();
    expect(await embedWhole(encoder, ['a', 'b', 'aaaabbbb', 'c'], 'passage')).toHaveLength(4);
    expect(encoder.calls).toBe(3);
  });

  it('asks nothing for no texts', async () => {
    const encoder = letters();
    expect(await embedWhole(encoder, [], 'passage')).toEqual([]);
    expect(encoder.calls).toBe(0);
  });

  it('fails as a whole where one call fails', async () => {
    const encoder = { ...letters(), windows: async (text: string) => [text] };
    await expect(embedWhole(encoder, ['a', 'b', 'too long'], 'passage')).rejects.toThrow('too much');
  });
});
