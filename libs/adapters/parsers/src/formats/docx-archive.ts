import { CodedError } from '@postmaster/contracts';
import type { ZipEntry } from '../zip.js';

/** All that is read of one document; Word's own files stay far below, a zip bomb does not. */
const MAX_UNPACKED = 100 * 1024 * 1024;

/** What mammoth reads a document through. */
export interface DocxArchive {
  exists(name: string): boolean;
  read(name: string, encoding?: string): Promise<Uint8Array | string>;
}

/** An archive that counts what it really unpacks and stops beyond the limit, whatever the zip's headers claim. */
export const docxArchive = (zip: readonly ZipEntry[]): DocxArchive => {
  const entries = new Map(zip.map((entry) => [entry.name, entry]));
  let left = MAX_UNPACKED;
  const unpack = (name: string): Uint8Array => {
    try {
      const bytes = entries.get(name)?.read(left) ?? new Uint8Array();
      left -= bytes.byteLength;
      return bytes;
    } catch (cause) {
      const isBomb = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'; // zlib's errors carry one
      const why = isBomb ? `unpacks to more than ${MAX_UNPACKED / 1024 / 1024} MB` : `is damaged at "${name}"`;
      throw new CodedError('DOCUMENT_BROKEN', `The Word document ${why}.`, { cause });
    }
  };
  return {
    exists: (name) => entries.has(name),
    read: async (name, encoding) => {
      const bytes = unpack(name);
      if (encoding === undefined) return bytes;
      if (encoding === 'base64') return Buffer.from(bytes).toString('base64');
      const text = new TextDecoder(encoding).decode(bytes);
      return name.startsWith('word/') ? formulasAsText(text) : text;
    },
  };
};

/** Formulas (OMML) as runs of text: mammoth leaves them out, and a sentence without its formula says something else. */
const formulasAsText = (xml: string): string =>
  xml
    .replace(/<m:oMathParaPr>[\s\S]*?<\/m:oMathParaPr>|<\/?m:oMathPara(\s[^>]*)?>/g, '')
    .replace(/<m:oMath(?:\s[^>]*)?>([\s\S]*?)<\/m:oMath>/g, (_, formula: string) => {
      const parts = [...formula.matchAll(/<m:t(?:\s[^>]*)?>([^<]*)<\/m:t>/g)].map(([, part = '']) => part);
      return `<w:r><w:t xml:space="preserve">${parts.join('')}</w:t></w:r>`;
    });
