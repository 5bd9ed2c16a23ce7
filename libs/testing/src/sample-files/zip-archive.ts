import { deflateRawSync } from 'node:zlib';

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

const crc32 = (bytes: Uint8Array): number =>
  (bytes.reduce((crc, byte) => (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

/** A zip archive of these entries (PKWARE's APPNOTE), deflated. `claimedSize` is what its headers say of every entry's length. */
export const zipArchive = (entries: Record<string, string | Uint8Array>, claimedSize?: number): Buffer => {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26); // what both headers have in common, from the version on
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedSize ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, place, Buffer.from(name));
    files.push(file);
    at += file.length;
  }
  const entriesCount = Object.keys(entries).length;
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entriesCount, 4);
  end.writeUInt16LE(entriesCount, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, listing, Buffer.from('PK\x05\x06'), end]);
};
