import type { Citation } from '../client/shapes.js';
import type { Paint } from './colours.js';
import { placeText } from './paragraph-text.js';
import { oneLine } from './printable.js';
import { wrap } from './wrap.js';

const TEXT_COLUMNS = 100;

/** A source: its marker and place, and the sentence that bears the answer out. */
export const citationText = (
  { marker, quote, paragraph }: Citation,
  { paint, columns }: { paint: Paint; columns: number | undefined },
): string => {
  const head = `${paint.cyan(`[${marker}]`)} ${paint.bold(placeText(paragraph))}`;
  const width = Math.min(columns ?? TEXT_COLUMNS, TEXT_COLUMNS);
  return quote === null ? head : `${head}\n${wrap(`“${oneLine(quote)}”`, width, '    ')}`;
};
