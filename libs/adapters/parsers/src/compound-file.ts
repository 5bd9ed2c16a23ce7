/** A file of streams as older Office programs write it (Microsoft's MS-CFB). */
export interface CompoundFile {
  /** Of the streams and storages at its root: those of embedded files are further down. */
  names: ReadonlySet<string>;
  /** A stream at the root; null where there is none. Throws RangeError where its sectors lead outside or in a circle. */
  read(name: string): Uint8Array | null;
}

interface Entry {
  name: string;
  isRoot: boolean;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

const MARK = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_LISTED = 109; // sectors of the allocation table that the header itself names
const LAST = 0xfffffffa; // numbers from here on are marks, not sectors
const ENTRY = 128;

export const isCompoundFile = (bytes: Uint8Array): boolean => MARK.equals(bytes.subarray(0, MARK.length));

/** Throws RangeError where the file is cut off or its tables are damaged. */
export const openCompoundFile = (bytes: Uint8Array): CompoundFile => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sectorSize = 2 ** (file.readUInt16LE(30) & 0x0f);
  const miniSize = 2 ** (file.readUInt16LE(32) & 0x0f);
  const cutoff = file.readUInt32LE(56);
  const sector = (number: number): Buffer => {
    const at = (number + 1) * sectorSize;
    if (at >= file.length) throw new RangeError(`sector ${number} is missing`);
    return file.subarray(at, at + sectorSize);
  };
  const table = allocationTable(file, sector, sectorSize);
  const chained = (start: number): Buffer => Buffer.concat(chainOf(start, table).map(sector));

  const entries = entriesOf(chained(file.readUInt32LE(48)));
  const root = entries.find(({ isRoot }) => isRoot);
  const streams = new Map(siblingsOf(entries, root?.child).map((entry) => [entry.name, entry]));
  const mini = (): { table: number[]; bytes: Buffer } => ({
    table: numbersIn(chained(file.readUInt32LE(60))),
    bytes: chained(root?.start ?? LAST),
  });
  return {
    names: new Set(streams.keys()),
    read: (name) => {
      const stream = streams.get(name);
      if (!stream) return null;
      if (stream.size >= cutoff) return chained(stream.start).subarray(0, stream.size);
      const { table: miniTable, bytes: held } = mini();
      const pieces = chainOf(stream.start, miniTable).map((at) => held.subarray(at * miniSize, (at + 1) * miniSize));
      return Buffer.concat(pieces).subarray(0, stream.size);
    },
  };
};

const numbersIn = (bytes: Buffer): number[] =>
  Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4));

/** For each sector, the next one of its stream. Where the table itself lies is told by the header, then by a chain. */
const allocationTable = (file: Buffer, sector: (number: number) => Buffer, sectorSize: number): number[] => {
  const places = numbersIn(file.subarray(76, 76 + HEADER_LISTED * 4));
  const seen = new Set<number>();
  for (let next = file.readUInt32LE(68); next < LAST;) {
    if (seen.has(next)) throw new RangeError('the list of its sectors runs in a circle');
    seen.add(next);
    const numbers = numbersIn(sector(next));
    places.push(...numbers.slice(0, -1));
    next = numbers.at(-1) ?? LAST;
  }
  const most = Math.ceil(file.length / sectorSize);
  return places
    .filter((place) => place < LAST)
    .slice(0, most)
    .flatMap((place) => numbersIn(sector(place)));
};

const chainOf = (start: number, table: readonly number[]): number[] => {
  const chain: number[] = [];
  for (let next = start; next < LAST; next = table[next] ?? LAST) {
    if (chain.length > table.length) throw new RangeError('its sectors run in a circle');
    chain.push(next);
  }
  return chain;
};

const entriesOf = (directory: Buffer): Entry[] =>
  Array.from({ length: Math.floor(directory.length / ENTRY) }, (_, index) => {
    const entry = directory.subarray(index * ENTRY, (index + 1) * ENTRY);
    return {
      name: entry.toString('utf16le', 0, Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2)),
      isRoot: entry[66] === 5,
      left: entry.readUInt32LE(68),
      right: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    };
  });

/** A storage's entries are a tree, which a damaged file may have tied into a ring. */
const siblingsOf = (entries: readonly Entry[], first: number | undefined): Entry[] => {
  const seen = new Set<Entry>();
  const waiting = [first];
  while (waiting.length > 0) {
    const entry = entries[waiting.pop() ?? LAST];
    if (!entry || seen.has(entry)) continue;
    seen.add(entry);
    waiting.push(entry.left, entry.right);
  }
  return [...seen];
};
