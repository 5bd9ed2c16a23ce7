/** Finds places of a text by code points, as all offsets are stored, where JavaScript counts UTF-16 units. */
export interface CodePoints {
  readonly length: number;
  /** The text between two code-point offsets. */
  slice(start: number, end: number): string;
  unitOf(codePoint: number): number;
  codePointOf(unit: number): number;
}

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

export const codePointsOf = (text: string): CodePoints => {
  // Where each surrogate pair starts, in units; a text without any needs no translation.
  const pairs: number[] = [];
  for (const match of text.matchAll(PAIR)) pairs.push(match.index);

  // The i-th pair starts at code point pairs[i] - i, so both directions are one binary search.
  const pairsBefore = (place: number, startOf: (index: number) => number): number => {
    let low = 0;
    let high = pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (startOf(middle) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const unitOf = (codePoint: number): number => codePoint + pairsBefore(codePoint, (i) => (pairs[i] ?? 0) - i);
  return {
    length: text.length - pairs.length,
    slice: (start, end) => text.slice(unitOf(start), unitOf(end)),
    unitOf,
    codePointOf: (unit) => unit - pairsBefore(unit, (i) => pairs[i] ?? 0),
  };
};
