import { CodedError } from '@postmaster/contracts';
import type { ZipEntry } from '../zip.js';
import { parseXml, type XmlElement } from './xml.js';

/** All that is read of one document; what programs write stays far below, a zip bomb does not. */
const MAX_UNPACKED = 100 * 1024 * 1024;

/** A document that is a zip archive of parts. Counts what it really unpacks, whatever the zip's headers claim. */
export interface Archive {
  has(name: string): boolean;
  /** A part's bytes; none where it is missing. Throws DOCUMENT_BROKEN beyond the limit of all parts together. */
  read(name: string): Uint8Array;
  /** Null where the part is missing. */
  readXml(name: string): XmlElement | null;
}

/** `what` names the document in messages: "Word document". Parts are found by their exact names, so no name leads out. */
export const openArchive = (zip: readonly ZipEntry[] | null, what: string): Archive => {
  const entries = new Map((zip ?? []).map((entry) => [entry.name, entry]));
  if ([...entries.values()].some((entry) => entry.isEncrypted)) {
    throw new CodedError('PASSWORD_NEEDED', `The ${what} is protected by a password.`);
  }
  let left = MAX_UNPACKED;
  const read = (name: string): Uint8Array => {
    try {
      const bytes = entries.get(name)?.read(left) ?? new Uint8Array();
      left -= bytes.byteLength;
      return bytes;
    } catch (cause) {
      const isBomb = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'; // zlib's errors carry one
      const why = isBomb ? `unpacks to more than ${MAX_UNPACKED / 1024 / 1024} MB` : `is damaged at "${name}"`;
      throw new CodedError('DOCUMENT_BROKEN', `The ${what} ${why}.`, { cause });
    }
  };
  return {
    has: (name) => entries.has(name),
    read,
    readXml: (name) => (entries.has(name) ? parseXml(read(name)) : null),
  };
};
