import type { Ocr } from './ocr/ocr.js';
import type { Draft } from './plain-text.js';
import type { SourceFile } from './source-file.js';
import type { Unpacking } from './unpacking.js';

/** A document format. To add one: a file in formats/ and its row in formats.ts. */
export interface Format {
  contentType: string;
  /** Usual endings of its files' names, without the dot. */
  extensions: readonly string[];
  /** By the file's content; its name may only break a tie. Asked in the table's order, the first that says yes reads it. */
  matches(file: SourceFile): boolean;
  /** Files within the file go to `unpacking`, pictures of text to `ocr`. Throws CodedErrors; anything else it throws means that the document is broken. */
  parse(file: SourceFile, unpacking: Unpacking, ocr: Ocr): Promise<Draft>;
}
