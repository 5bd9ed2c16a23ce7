import { isFunctionWord } from './function-words.js';
import { legible, stemOf } from './question-words.js';

export interface Ranked {
  text: string;
  /** 0…1 */
  score: number;
}

/**
 * Puts the `most` first ones in the order of maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998), the others
 * after them as they were: next comes what is greatest in
 *
 *   (1 − diversity) × score − diversity × (its greatest likeness to one that came before),
 *
 * where likeness, 0…1, is the cosine of the texts' stems, each weighed by ln(1 + texts / texts that have it): what all
 * of them speak of makes none alike. `diversity` 0 changes nothing; among equals the earlier stays first.
 * Takes most × items comparisons.
 */
export const diversify = <T>(
  items: readonly T[],
  rankedOf: (item: T) => Ranked,
  diversity: number,
  most: number,
): T[] => {
  if (diversity === 0) return [...items];
  const ranked = items.map(rankedOf);
  const directions = directionsOf(ranked.map(({ text }) => text));
  const likeness = new Float64Array(items.length);
  const left = items.map((_, at) => at);
  const order: number[] = [];
  while (order.length < most && left.length > 0) {
    const gain = (at: number): number => (1 - diversity) * ranked[at]!.score - diversity * likeness[at]!;
    const next = left.reduce((best, at) => (gain(at) > gain(best) ? at : best));
    left.splice(left.indexOf(next), 1);
    order.push(next);
    for (const at of left) likeness[at] = Math.max(likeness[at]!, cosine(directions[at]!, directions[next]!));
  }
  return [...order, ...left].map((at) => items[at]!);
};

/** Unit-length, by stem. */
type Direction = ReadonlyMap<string, number>;

const directionsOf = (texts: readonly string[]): Direction[] => {
  const all = texts.map(stemsIn);
  const holding = new Map<string, number>();
  for (const stems of all) for (const stem of stems) holding.set(stem, (holding.get(stem) ?? 0) + 1);
  return all.map((stems) => {
    const weights = [...stems].map((stem) => [stem, Math.log(1 + texts.length / holding.get(stem)!)] as const);
    const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
    return new Map(weights.map(([stem, weight]) => [stem, weight / length]));
  });
};

const stemsIn = (text: string): Set<string> =>
  new Set(
    legible(text)
      .trim()
      .split(' ')
      .filter((word) => !isFunctionWord(word))
      .map(stemOf),
  );

const cosine = (a: Direction, b: Direction): number => {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [stem, weight] of few) sum += weight * (many.get(stem) ?? 0);
  return Math.min(1, sum);
};
