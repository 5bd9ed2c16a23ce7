import { CodedError } from '@postmaster/contracts';
import type { Format } from '../format.js';
import { startsAsZip } from '../zip.js';

const HEAD = 1024; // bytes: readers accept a PDF's mark as late as this
const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const pdf: Format = {
  contentType: 'application/pdf',
  extensions: ['pdf'],
  matches: (file) => {
    if (startsAsZip(file.bytes)) return false; // an archive may hold a PDF in its first bytes
    const head = bufferOf(file.bytes).toString('latin1', 0, HEAD);
    return /^\s*%PDF-\d/.test(head) || (head.includes('%PDF-') && file.decoded === null);
  },
  parse: async ({ bytes }, _unpacking, ocr) => {
    if (isCutOff(bytes)) throw new CodedError('DOCUMENT_BROKEN', 'The PDF is cut off: its end is missing.');
    const { readPdf } = await import('./pdf/read-pdf.js'); // a third of the process's memory, so only when there is one
    return readPdf(bytes, ocr);
  },
};

/**
 * A PDF ends with the place of its last cross-reference table (ISO 32000-1, 7.5.5); objects after it belong to a later
 * part that has no end. pdf.js would mend such a file in silence and leave out what is missing.
 */
const isCutOff = (bytes: Uint8Array): boolean => {
  const buffer = bufferOf(bytes);
  const last = buffer.lastIndexOf('startxref');
  return last === -1 || /\d+\s+\d+\s+obj\b/.test(buffer.toString('latin1', last));
};
