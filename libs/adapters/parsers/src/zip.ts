import { isUtf8 } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import iconv from 'iconv-lite';

export interface ZipEntry {
  name: string;
  isEncrypted: boolean;
  /** In bytes, unpacked, as the directory says. */
  size: number;
  /** The entry's bytes, `limit` of them at most: throws RangeError beyond, for the sizes in a zip's headers may lie. */
  read(limit: number): Uint8Array;
}

const END = 0x06054b50;
const UTF_8 = 0x0800; // of the general purpose flags
const ENTRY = 0x02014b50;
const MAX_COMMENT = 0xffff;
const END_LENGTH = 22;

export const startsAsZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;

/**
 * The entries that a zip archive's central directory names; null where there is none, as in an archive that is cut off.
 * (Format: PKWARE's APPNOTE 6.3, without ZIP64: documents of that size are not read.)
 */
export const readZipEntries = (bytes: Uint8Array): ZipEntry[] | null => {
  if (!startsAsZip(bytes)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfDirectory(view);
  if (end === null) return null;
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY) return null;
    const nameLength = view.getUint16(at + 28, true);
    entries.push({
      name: nameOf(bytes.subarray(at + 46, at + 46 + nameLength), (view.getUint16(at + 8, true) & UTF_8) !== 0),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      size: view.getUint32(at + 24, true),
      read: entryReader(view, {
        method: view.getUint16(at + 10, true),
        packed: view.getUint32(at + 20, true),
        header: view.getUint32(at + 42, true),
      }),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
};

/** UTF-8 where a flag says so, or where it is that all the same; else the DOS code page, which the format began with. */
const nameOf = (bytes: Uint8Array, isUtf8Flagged: boolean): string =>
  isUtf8Flagged || isUtf8(bytes) ? new TextDecoder().decode(bytes) : iconv.decode(Buffer.from(bytes), 'cp437');

const endOfDirectory = (view: DataView): number | null => {
  const first = Math.max(0, view.byteLength - END_LENGTH - MAX_COMMENT);
  for (let at = view.byteLength - END_LENGTH; at >= first; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  return null;
};

const entryReader =
  (view: DataView, { method, packed, header }: { method: number; packed: number; header: number }) =>
  (limit: number): Uint8Array => {
    const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    const data = new Uint8Array(view.buffer, view.byteOffset + start, packed);
    if (method === 8) return inflateRawSync(data, { maxOutputLength: limit });
    if (method === 0 && packed <= limit) return data;
    throw new RangeError(method === 0 ? `more than ${limit} bytes` : `compression method ${method} is not read`);
  };
