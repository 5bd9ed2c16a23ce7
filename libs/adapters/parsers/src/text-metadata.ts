import type { Draft } from './plain-text.js';
import type { DecodedText } from './decode-text.js';

/** How a text format's bytes were read: a wrong guess of the encoding is to be seen, not to be wondered at. */
export const metadataOfText = (decoded: DecodedText | null): Draft['metadata'] => ({
  ...(decoded && { encoding: decoded.encoding }),
  ...(decoded && decoded.unreadable > 0 && { unreadableCharacters: decoded.unreadable }),
});
