import type { Piece } from './metadata/found.js';

/** Where a quote stands in a text, as whole words: letter for letter, else with other spaces or cases. */
export const quotesIn = (text: string, quote: string): Piece[] => {
  const words = quote.trim();
  if (!words) return [];
  const pattern = words.split(/\s+/u).map(escaped).join('\\s+');
  return Array.from(
    text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu')),
    ({ 0: found, index }) => ({ text: found, start: index, end: index + found.length }),
  );
};

export const quotedIn = (text: string, quote: string): Piece | undefined => quotesIn(text, quote)[0];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
