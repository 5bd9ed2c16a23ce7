import type { ExtractedField, FieldName } from '@postmaster/contracts';

/** A piece of the text, in UTF-16 units. */
export interface Piece {
  text: string;
  start: number;
  end: number;
}

/** A value that was found, with the pieces that it was read from. */
export interface Found {
  name: FieldName;
  value: unknown;
  at: readonly Omit<Piece, 'text'>[];
}

/** A piece without the space around it. */
export const trimmed = (text: string, start: number, end: number): Piece => {
  const raw = text.slice(start, end);
  const from = start + raw.length - raw.trimStart().length;
  const inner = raw.trim();
  return { text: inner, start: from, end: from + inner.length };
};

/** The value of words as they stand, with runs of space as one. */
export const asWritten = ({ text }: Piece): string => text.replace(/\s+/gu, ' ');

/** UTF-16 spans as spans of code points. */
export const inCodePoints = (text: string) => {
  const pairs = Array.from(text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g), ({ index }) => index);
  const at = (offset: number): number => {
    let [low, high] = [0, pairs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return offset - low;
  };
  return (
    { name, value, at: pieces }: { name: ExtractedField['name']; value: unknown; at: Found['at'] },
    from: ExtractedField['from'],
  ): ExtractedField => ({
    name,
    value,
    from,
    spans: pieces.map(({ start, end }) => ({ start: at(start), end: at(end) })),
  });
};
