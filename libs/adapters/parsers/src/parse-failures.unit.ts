import { describe, expect, it } from 'vitest';
import { CODES, CodedError, type ErrorCode } from '@postmaster/contracts';
import {
  docxBomb,
  encryptedDocx,
  encryptedPdf,
  sampleDocx,
  samplePdf,
  scannedPdf,
  truncated,
  zipArchive,
} from '@postmaster/testing';
import { parseBytes } from './parse-bytes.js';

const failureOf = async (bytes: Uint8Array, name: string): Promise<CodedError> => {
  const error: unknown = await parseBytes(bytes, name).catch((cause: unknown) => cause);
  if (error instanceof CodedError) return error;
  throw new Error(`${name} should have failed with a code`);
};
const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000000', 'hex');
const text = 'The harbour was built by the town itself.';

describe('a file that gives no document', () => {
  it.each<[what: string, bytes: Uint8Array, name: string, code: ErrorCode, says: RegExp]>([
    ['an empty file', Buffer.alloc(0), 'a.pdf', 'EMPTY_FILE', /no bytes/],
    ['zeros named .pdf', Buffer.alloc(1000), 'a.pdf', 'UNKNOWN_TYPE', /named \.pdf but holds zeros only/],
    ['a PDF with a password', encryptedPdf(), 'a.pdf', 'PASSWORD_NEEDED', /password/],
    ['a PDF that is cut off', truncated(samplePdf([[text]])), 'a.pdf', 'DOCUMENT_BROKEN', /cut off/],
    [
      'a PDF that is a mark and rubbish',
      Buffer.from('%PDF-1.7\nrubbish\nstartxref\n7\n%%EOF'),
      'a.pdf',
      'DOCUMENT_BROKEN',
      /can't be read/,
    ],
    ['a scan', scannedPdf(), 'a.pdf', 'NO_TEXT', /scan/],
    ['a DOCX that is cut off', truncated(sampleDocx([text])), 'a.docx', 'DOCUMENT_BROKEN', /cut off/],
    ['a DOCX with a password', encryptedDocx(), 'a.docx', 'PASSWORD_NEEDED', /password/],
    [
      'a DOCX that unpacks to more than is read',
      docxBomb(101),
      'a.docx',
      'DOCUMENT_BROKEN',
      /unpacks to more than 100 MB/,
    ],
    ['a DOCX without words', sampleDocx([]), 'a.docx', 'NO_TEXT', /no words/],
    ['a picture', png, 'a.pdf', 'UNKNOWN_TYPE', /image\/png/],
    ['a program', zipArchive({ 'META-INF/MANIFEST.MF': 'x' }), 'a.docx', 'UNKNOWN_TYPE', /java-archive/],
    ['rich text that is cut off', Buffer.from('{\\rtf1\\ansi{\\b Hello'), 'a.rtf', 'DOCUMENT_BROKEN', /cut off/],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 999 }, (_, index) => (index * 7919) % 256)),
      'a.txt',
      'UNKNOWN_TYPE',
      /no known format, though it is named \.txt/,
    ],
    [
      'a page with nothing on it',
      Buffer.from('<html><body><script>x()</script></body></html>'),
      'a.html',
      'NO_TEXT',
      /no words/,
    ],
    ['white space', Buffer.from(' \n\n \t'), 'a.txt', 'NO_TEXT', /no words/],
  ])('says why: %s', async (_what, bytes, name, code, says) => {
    const failure = await failureOf(bytes, name);
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(says);
    expect(failure.next.length).toBeGreaterThan(10);
    expect(CODES[failure.code].status).toBeLessThan(500);
  });
});
