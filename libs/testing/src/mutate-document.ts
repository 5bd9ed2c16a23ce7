import { seeded } from './seeded.js';
import { zipArchive, zipEntries } from './sample-files/zip-archive.js';

export interface SourceDocument {
  name: string;
  bytes: Uint8Array;
}

export interface MutatedDocument extends SourceDocument {
  /** What was done to which document: "splice of a.pdf with b.docx". */
  what: string;
}

type Chance = () => number;
type Damage = (bytes: Buffer, chance: Chance, other: Buffer) => Buffer;

const MOST_FLIPS = 64;
const MOST_REPEATS = 200;
const MOST_REPEATED = 200_000; // bytes: mutations are to be small files that do harm, not large ones

const DAMAGES: Readonly<Record<string, Damage>> = {
  'flipped bits': (bytes, chance) => {
    const flipped = Buffer.from(bytes);
    for (let left = 1 + below(MOST_FLIPS, chance); left > 0; left--) {
      const at = below(flipped.length, chance);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << below(8, chance));
    }
    return flipped;
  },
  cut: (bytes, chance) => bytes.subarray(0, below(bytes.length, chance)),
  splice: (bytes, chance, other) =>
    Buffer.concat([bytes.subarray(0, below(bytes.length, chance)), other.subarray(below(other.length, chance))]),
  'repeated block': (bytes, chance) => {
    const [start, end] = range(bytes, chance);
    const block = bytes.subarray(start, end);
    const most = Math.min(MOST_REPEATS, MOST_REPEATED / Math.max(1, block.length));
    const blocks = Array<Buffer>(1 + below(most, chance)).fill(block);
    return Buffer.concat([bytes.subarray(0, end), ...blocks, bytes.subarray(end)]);
  },
  'zeroed range': (bytes, chance) => Buffer.from(bytes).fill(0, ...range(bytes, chance)),
};

/**
 * One of the documents, damaged; the same one in the same way for the same seed and documents. Every kind of name has
 * the same share, however many documents there are of it. What is zipped is as often damaged in one of its entries,
 * packed again with sizes and sums that are right, so that the damage reaches the reader behind the archive.
 */
export const mutateDocument = (sources: readonly SourceDocument[], seed: number): MutatedDocument => {
  const chance = seeded(Math.imul(seed, 0x9e3779b1) >>> 0); // seeds that follow each other start far apart
  const source = anyOf(sources, chance);
  const other = anyOf(sources, chance);
  const [kind, damage] = pick(Object.entries(DAMAGES), chance);
  const entries = chance() < 0.5 ? zipEntries(source.bytes) : null;
  const by = kind === 'splice' ? ` with ${other.name}` : '';
  if (!entries) {
    const bytes = damage(Buffer.from(source.bytes), chance, Buffer.from(other.bytes));
    return { name: source.name, bytes, what: `${kind} of ${source.name}${by}` };
  }
  const [entry, content] = pick(Object.entries(entries), chance);
  const damaged = damage(content, chance, Buffer.from(other.bytes));
  return {
    name: source.name,
    bytes: zipArchive({ ...entries, [entry]: damaged }),
    what: `${kind} of ${entry} in ${source.name}${by}`,
  };
};

const anyOf = (sources: readonly SourceDocument[], chance: Chance): SourceDocument => {
  const ending = ({ name }: SourceDocument): string => name.slice(name.lastIndexOf('.') + 1);
  const kind = pick([...new Set(sources.map(ending))], chance);
  return pick(
    sources.filter((source) => ending(source) === kind),
    chance,
  );
};

const range = (bytes: Buffer, chance: Chance): [start: number, end: number] => {
  const start = below(bytes.length, chance);
  const length = Math.ceil((bytes.length - start) * chance() ** 3); // mostly short
  return [start, start + length];
};

/** A whole number from 0 on, smaller than `end`; 0 where there is none. */
const below = (end: number, chance: Chance): number => Math.floor(chance() * end);

const pick = <T>(things: readonly T[], chance: Chance): T => {
  const thing = things[below(things.length, chance)];
  if (thing === undefined) throw new Error('There is nothing to choose from.');
  return thing;
};
