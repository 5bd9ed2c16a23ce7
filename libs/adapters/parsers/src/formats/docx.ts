import { CodedError } from '@postmaster/contracts';
import mammoth from 'mammoth';
import type { Format } from '../format.js';
import { flatten, writeBlocks } from '../plain-text.js';
import { startsAsZip, type ZipEntry } from '../zip.js';
import { factsOfCore } from './docx-facts.js';
import { blocksOfMarkup } from './html-blocks.js';
import { parseMarkup } from './html-document.js';

const MAIN = 'word/document.xml';
/** All of a document's XML together; Word's own files stay far below, a zip bomb does not. */
const MAX_UNPACKED = 256 * 1024 * 1024;

const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

export const docx: Format = {
  contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  extensions: ['docx', 'docm', 'dotx'],
  matches: ({ zip, bytes }) => zip?.some(({ name }) => name === MAIN) ?? (startsAsZip(bytes) && namesItself(bytes)),
  parse: async ({ zip, bytes }) => {
    if (!zip)
      throw new CodedError('DOCUMENT_BROKEN', 'The Word document is cut off: its table of contents is missing.');
    if (zip.some((entry) => entry.isEncrypted)) {
      throw new CodedError('PASSWORD_NEEDED', 'The Word document is protected by a password.');
    }
    checkSize(zip);
    const { value: markup } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      // A picture's bytes are never read; an external one never fetched.
      {
        styleMap: STYLES,
        includeEmbeddedStyleMap: false,
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      },
    );
    const { title, createdAt, metadata } = factsOfCore(zip);
    const written = writeBlocks(blocksOfMarkup(parseMarkup(markup).body));
    return { ...written, title: title === null ? null : flatten(title), createdAt, metadata };
  },
};

/** Of an archive without its directory: whether one of its first entries is a Word document's. */
const namesItself = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 65_536)).includes('word/');

/** Unpacks every part that will be read, to count what really comes out. */
const checkSize = (zip: readonly ZipEntry[]): void => {
  let left = MAX_UNPACKED;
  for (const entry of zip) {
    if (!/\.(xml|rels)$/.test(entry.name)) continue;
    try {
      left -= entry.read(Math.max(1, left)).byteLength;
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException; // zlib's errors carry one
      const isBomb = code === 'ERR_BUFFER_TOO_LARGE';
      const why = isBomb ? `unpacks to more than ${MAX_UNPACKED / 1024 / 1024} MB` : `is damaged at "${entry.name}"`;
      throw new CodedError('DOCUMENT_BROKEN', `The Word document ${why}.`, { cause });
    }
  }
};
