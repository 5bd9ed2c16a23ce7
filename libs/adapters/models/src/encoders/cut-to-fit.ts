import { cutWindows } from './cut-windows.js';
import { type Borders, unitsOf } from './text-units.js';

export interface Room {
  borders: Borders;
  tokensOf: (piece: string) => number;
  /** Tokens that a piece may have, by `tokensOf`. */
  most: number;
  /** Whether a piece fits indeed: a tokenizer may count a little more at a cut than its units promise. */
  fits: (piece: string) => boolean;
}

/** The fewest equal pieces of a text that all fit; the text itself where it does. */
export const cutToFit = (text: string, { borders, tokensOf, most, fits }: Room): string[] => {
  if (fits(text)) return [text];
  const units = unitsOf(text, borders, tokensOf);
  const largest = units.reduce((tokens, unit) => Math.max(tokens, unit.tokens), 1);
  for (let room = most; room >= largest; room = Math.floor(room * 0.9)) {
    const pieces = cutWindows(text, units, room);
    if (pieces.every(fits)) return pieces;
  }
  throw new Error(`a text can not be cut into pieces of ${most} tokens`);
};
