import type { Extracted } from '../client/metadata.js';
import type { Paint } from './colours.js';
import { oneLine } from './printable.js';

/** A document's metadata, a line each, with where each is from. */
export const metadataText = ({ fields }: Extracted, paint: Paint): string =>
  fields
    .map(({ name, value, from }) => {
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      return `  ${paint.dim(name.padEnd(15))}${oneLine(shown)} ${paint.dim(`(${from.toLowerCase()})`)}`;
    })
    .join('\n');
