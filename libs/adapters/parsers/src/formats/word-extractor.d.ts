/** As much of the library's interface as is used; it has no types of its own. */
declare module 'word-extractor' {
  interface WordText {
    getBody(): string;
    getFootnotes(): string;
    getEndnotes(): string;
    getTextboxes(options: { includeHeadersAndFooters: boolean }): string;
  }
  export default class WordExtractor {
    extract(source: Buffer): Promise<WordText>;
  }
}
