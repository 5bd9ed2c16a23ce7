import type { DocumentEnding } from '@postmaster/contracts';

/** A mailbox is taken apart here; a server's folder has no way for that. */
type TakenEnding = DocumentEnding | 'mbox';

/**
 * How many letters of text a byte of a file makes about, by the ending of the name: markup, fonts and pictures make
 * none. What has one of these endings is taken from folders; what is named on the command line is taken whatever it has.
 */
const LETTERS: Readonly<Record<TakenEnding, number>> = {
  md: 1,
  markdown: 1,
  mdown: 1,
  mkd: 1,
  mdx: 1,
  txt: 1,
  text: 1,
  html: 0.4,
  htm: 0.4,
  xhtml: 0.4,
  pdf: 0.15,
  docx: 0.5,
  docm: 0.5,
  dotx: 0.5,
  doc: 0.2,
  pptx: 0.1,
  pptm: 0.1,
  xlsx: 1,
  xlsm: 1,
  odt: 0.5,
  epub: 1,
  rtf: 0.4,
  csv: 1,
  tsv: 1,
  eml: 0.3,
  msg: 0.1,
  mbox: 0.3,
  zip: 0.5,
  // a page's letters in the bytes of its picture
  png: 0.02,
  jpg: 0.005,
  jpeg: 0.005,
  tif: 0.02,
  tiff: 0.02,
  webp: 0.02,
  bmp: 0.001,
  gif: 0.02,
};

export const LETTERS_PER_BYTE: Readonly<Partial<Record<string, number>>> = LETTERS;
export const EXTENSIONS = Object.keys(LETTERS);

/** "pdf" of "A/Report.PDF"; "" without one. */
export const extensionOf = (path: string): string => /[^/\\.]\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
