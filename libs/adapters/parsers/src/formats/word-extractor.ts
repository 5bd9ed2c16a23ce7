import { createRequire } from 'node:module';

/** As much of the library's interface as is used; it has no types of its own. */
export interface WordText {
  getBody(): string;
  getFootnotes(): string;
  getEndnotes(): string;
  getTextboxes(options: { includeHeadersAndFooters: boolean }): string;
}

/** Loaded when there is something to read with it. */
export const extractWords = (file: Uint8Array): Promise<WordText> => {
  const WordExtractor = createRequire(import.meta.url)('word-extractor') as new () => {
    extract(source: Buffer): Promise<WordText>;
  };
  return new WordExtractor().extract(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
};
