import { CodedError } from '@postmaster/contracts';
import type { Format } from '../format.js';
import { flatten, writeBlocks } from '../plain-text.js';
import { startsAsZip } from '../zip.js';
import { docxArchive } from './docx-archive.js';
import { factsOfCore } from './docx-facts.js';
import { blocksOfMarkup } from './html-blocks.js';
import { parseMarkup } from './html-document.js';

const MAIN = 'word/document.xml';
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

export const docx: Format = {
  contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  extensions: ['docx', 'docm', 'dotx'],
  matches: ({ zip, bytes }) => zip?.some(({ name }) => name === MAIN) ?? (startsAsZip(bytes) && namesItself(bytes)),
  parse: async ({ zip }) => {
    if (!zip)
      throw new CodedError('DOCUMENT_BROKEN', 'The Word document is cut off: its table of contents is missing.');
    if (zip.some((entry) => entry.isEncrypted)) {
      throw new CodedError('PASSWORD_NEEDED', 'The Word document is protected by a password.');
    }
    const { default: mammoth } = await import('mammoth');
    // mammoth takes an opened archive too (lib/unzip.js), though its types don't say so.
    const input = { file: docxArchive(zip) } as unknown as { buffer: Buffer };
    const { value: markup } = await mammoth.convertToHtml(input, {
      styleMap: STYLES,
      includeEmbeddedStyleMap: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })), // no picture is read
    });
    const { title, createdAt, metadata } = factsOfCore(zip);
    const written = writeBlocks(blocksOfMarkup(parseMarkup(markup).body));
    return { ...written, title: title === null ? null : flatten(title), createdAt, metadata };
  },
};

/** Of an archive without its directory: whether one of its first entries is a Word document's. */
const namesItself = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 65_536)).includes('word/');
