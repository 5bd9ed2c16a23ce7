/** A text with each half of a broken surrogate pair replaced: as UTF-8 it would be no text, and JSON with it is refused. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();
