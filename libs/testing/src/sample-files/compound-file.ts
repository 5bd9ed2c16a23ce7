const SECTOR = 512;
const END = 0xfffffffe;
const FREE = 0xffffffff;
const TABLE = 0xfffffffd;
const SMALL = 4096; // streams below this would lie in a stream of their own

/** A compound file (MS-CFB) of these streams at its root, padded with zeros to the size from which they lie in sectors. */
export const compoundFile = (streams: Readonly<Record<string, Uint8Array>>): Buffer => {
  const padded = Object.entries(streams).map(([name, bytes]) => {
    const size = Math.max(SMALL, Math.ceil(bytes.length / SECTOR) * SECTOR);
    return { name, bytes: Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]) };
  });
  const directorySectors = Math.ceil((padded.length + 1) / 4);
  let next = 1 + directorySectors; // the first sector is the allocation table
  const table = [TABLE, ...chain(1, directorySectors)];
  const entries = [directoryEntry('Root Entry', { type: 5, child: padded.length > 0 ? 1 : FREE, start: END, size: 0 })];
  padded.forEach(({ name, bytes }, index) => {
    const right = index + 1 < padded.length ? index + 2 : FREE;
    entries.push(directoryEntry(name, { type: 2, right, start: next, size: bytes.length }));
    table.push(...chain(next, bytes.length / SECTOR));
    next += bytes.length / SECTOR;
  });
  const directory = Buffer.concat(entries, directorySectors * SECTOR);
  return Buffer.concat([header(), allocation(table), directory, ...padded.map(({ bytes }) => bytes)]);
};

const chain = (first: number, length: number): number[] =>
  Array.from({ length }, (_, index) => (index + 1 < length ? first + index + 1 : END));

const allocation = (table: readonly number[]): Buffer => {
  if (table.length > SECTOR / 4) throw new Error('a sample of one sector of allocations holds 64 KB');
  const sector = Buffer.alloc(SECTOR, 0xff);
  table.forEach((entry, index) => sector.writeUInt32LE(entry, index * 4));
  return sector;
};

const header = (): Buffer => {
  const bytes = Buffer.alloc(SECTOR);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(0x3e, 24);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(9, 30); // sectors of 512 bytes
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(1, 44);
  bytes.writeUInt32LE(1, 48); // the directory's first sector
  bytes.writeUInt32LE(SMALL, 56);
  bytes.writeUInt32LE(END, 60);
  bytes.writeUInt32LE(END, 68);
  bytes.fill(0xff, 76);
  bytes.writeUInt32LE(0, 76); // the allocation table's one sector
  return bytes;
};

const directoryEntry = (
  name: string,
  {
    type,
    start,
    size,
    child = FREE,
    right = FREE,
  }: { type: number; start: number; size: number; child?: number; right?: number },
): Buffer => {
  const entry = Buffer.alloc(128);
  entry.write(name, 'utf16le');
  entry.writeUInt16LE((name.length + 1) * 2, 64);
  entry[66] = type;
  entry[67] = 1;
  entry.writeUInt32LE(FREE, 68);
  entry.writeUInt32LE(right, 72);
  entry.writeUInt32LE(child, 76);
  entry.writeUInt32LE(start, 116);
  entry.writeUInt32LE(size, 120);
  return entry;
};
