import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

const crc32 = (bytes: Uint8Array): number =>
  (bytes.reduce((crc, byte) => (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

interface Packed {
  packed: Buffer;
  crc: number;
  size: number;
  /** 1: encrypted; 0x800: the name is in UTF-8. */
  flags?: number;
}

/** An archive of entries in this order, each with what its headers are to say; names may be bytes. */
export const zipOf = (
  entries: readonly { name: string | Uint8Array; content: string | Uint8Array; flags?: number; size?: number }[],
): Buffer =>
  archiveOf(
    entries.map(({ name, content, flags, size }) => {
      const bytes = Buffer.from(content);
      return [name, { packed: deflateRawSync(bytes), crc: crc32(bytes), size: size ?? bytes.length, flags }];
    }),
  );

/** A zip archive of these entries (PKWARE's APPNOTE), deflated. */
export const zipArchive = (entries: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  archiveOf(packed(entries));

/** The entries of a sound zip archive, unpacked; null for what is none. */
export const zipEntries = (archive: Uint8Array): Record<string, Buffer> | null => {
  const file = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = file.lastIndexOf('PK\x05\x06');
  if (!file.subarray(0, 4).equals(Buffer.from('PK\x03\x04')) || end < 0) return null;
  const entries: Record<string, Buffer> = {};
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const nameEnd = at + 46 + file.readUInt16LE(at + 28);
    const header = file.readUInt32LE(at + 42);
    const start = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
    const content = file.subarray(start, start + file.readUInt32LE(at + 20));
    entries[file.toString('utf8', at + 46, nameEnd)] =
      file.readUInt16LE(at + 10) === 8 ? inflateRawSync(content) : content;
    at = nameEnd + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
};

const packed = (entries: Readonly<Record<string, string | Uint8Array>>): [name: string, file: Packed][] =>
  Object.entries(entries).map(([name, content]) => {
    const bytes = Buffer.from(content);
    return [name, { packed: deflateRawSync(bytes), crc: crc32(bytes), size: bytes.length }];
  });

/** An archive whose entry `name` unpacks to `megabytes` of spaces, while its headers speak of a hundred bytes. */
export const zipBomb = (
  name: string,
  megabytes: number,
  others: Readonly<Record<string, string | Uint8Array>> = {},
): Buffer => {
  // Blocks that end in a full flush stand for themselves, so one of them serves as often as is wanted.
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const end = Buffer.from([3, 0]);
  return archiveOf([
    ...packed(others),
    [name, { packed: Buffer.concat([...Array<Buffer>(megabytes).fill(block), end]), crc: 0, size: 100 }],
  ]);
};

const archiveOf = (entries: readonly [name: string | Uint8Array, file: Packed][]): Buffer => {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [title, { packed, crc, size, flags = 0 }] of entries) {
    const name = Buffer.from(title);
    const fields = Buffer.alloc(26); // what both headers have in common, from the version on
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, place, name);
    files.push(file);
    at += file.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, listing, Buffer.from('PK\x05\x06'), end]);
};
