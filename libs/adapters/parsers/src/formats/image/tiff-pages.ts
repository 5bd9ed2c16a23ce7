import { CodedError } from '@postmaster/contracts';

/** Faxes and scans have hundreds of pages; a chain of more is made to never end. */
const MAX_PAGES = 10_000;
const ENTRY = 12; // bytes

/**
 * The pages of a TIFF (TIFF 6.0, section 2), each as the file whose first page it is: the same bytes with the header's
 * pointer moved on, valid until the next is asked for.
 */
export function* tiffPages(bytes: Uint8Array): Generator<Uint8Array> {
  const file = Buffer.from(bytes);
  const isLittle = file.toString('latin1', 0, 2) === 'II';
  const read = (size: 2 | 4, at: number): number => {
    if (at + size > file.length)
      throw new CodedError('DOCUMENT_BROKEN', "The TIFF is cut off: a page's list of facts is missing.");
    return isLittle ? file.readUIntLE(at, size) : file.readUIntBE(at, size);
  };
  const seen = new Set<number>();
  for (let at = read(4, 4); at !== 0; at = read(4, at + 2 + read(2, at) * ENTRY)) {
    if (seen.has(at) || seen.size >= MAX_PAGES)
      throw new CodedError('DOCUMENT_BROKEN', 'The pages of the TIFF run in a circle, or have no end.');
    seen.add(at);
    if (isLittle) file.writeUInt32LE(at, 4);
    else file.writeUInt32BE(at, 4);
    yield file;
  }
}
