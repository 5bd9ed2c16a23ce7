import { describe, expect, it } from 'vitest';
import { fittingPrompt, promptTokens } from './prompt-window.js';

const promptOf = (words: number) => ({ system: 'Write.', user: 'word '.repeat(words) });

describe('promptTokens', () => {
  // Counted by the tokenizers cl100k_base and o200k_base; the larger number.
  it.each([
    ['The library in Aarhus opens at eight on weekdays and at ten on Saturdays.', 16],
    ['Biblioteket i Aarhus åbner klokken otte på hverdage og klokken ti om lørdagen.', 30],
    ['{"invoice":"INV-2024-0012","total":1234.50}', 18],
    ['图书馆八点开门', 9],
    ['図書館は平日の八時に開きます。', 19],
    ['Библиотека открывается в восемь часов.', 21],
  ])('gives "%s" no fewer than a tokenizer does', (text, counted) => {
    expect(promptTokens(text)).toBeGreaterThanOrEqual(counted * 0.9);
    expect(promptTokens(text)).toBeLessThan(counted * 2.2);
  });
});

describe('fittingPrompt', () => {
  it('is the longest that leaves room for a reply', () => {
    const [long, middle, short] = [promptOf(2_000), promptOf(400), promptOf(10)] as const;
    expect(fittingPrompt([long, middle, short], 2_000, 'It')).toBe(middle);
    expect(fittingPrompt([long, middle, short], 100_000, 'It')).toBe(long);
    expect(fittingPrompt([long, middle, short], undefined, 'It')).toBe(long);
  });

  it('is refused where none fits', () => {
    expect(() => fittingPrompt([promptOf(2_000), promptOf(1_900)], 2_000, 'It')).toThrow(
      expect.objectContaining({ code: 'MODEL_TEXT_TOO_LONG', message: expect.stringContaining('window of 2000') }),
    );
  });
});
