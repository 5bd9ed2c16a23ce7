import iconv from 'iconv-lite';
import type { CompoundFile } from '../compound-file.js';
import { flatten } from '../plain-text.js';
import type { Facts } from './core-facts.js';

/** Properties by their number, and what they are stored as (Microsoft's MS-OLEPS, 2.15 and 3.1). */
const NAMES: Readonly<Record<number, string>> = {
  2: 'title',
  3: 'subject',
  4: 'author',
  5: 'keywords',
  6: 'description',
};
const CODE_PAGE = 1;
const CREATED = 12;
const MODIFIED = 13;
const STRING = 30;
const FILE_TIME = 64;
const MAX = 500; // bytes of a string

/** Facts from the stream that older Office programs keep them in; what is missing or damaged is left out. */
export const factsOfSummary = (file: CompoundFile): Facts => {
  const facts: Facts = { title: null, createdAt: null, metadata: {} };
  try {
    const stream = file.read('\u0005SummaryInformation');
    return stream ? readFacts(Buffer.from(stream), facts) : facts;
  } catch {
    return facts; // the document is read without them
  }
};

const readFacts = (stream: Buffer, facts: Facts): Facts => {
  const section = stream.subarray(stream.readUInt32LE(44));
  const properties = Array.from({ length: Math.min(100, section.readUInt32LE(4)) }, (_, index) => ({
    id: section.readUInt32LE(8 + index * 8),
    value: section.subarray(section.readUInt32LE(12 + index * 8)),
  }));
  const page = properties.find(({ id }) => id === CODE_PAGE)?.value.readUInt16LE(4) ?? 1252;
  const encoding = page === 65001 ? 'utf8' : iconv.encodingExists(`cp${page}`) ? `cp${page}` : 'cp1252';
  for (const { id, value } of properties) {
    const type = value.readUInt32LE(0);
    const name = NAMES[id];
    if (name !== undefined && type === STRING) {
      const bytes = value.subarray(8, 8 + Math.min(MAX, value.readUInt32LE(4)));
      const text = flatten(iconv.decode(bytes, encoding).replace(/\0[^]*/, ''));
      if (name === 'title') facts.title = text || null;
      else if (text !== '') facts.metadata[name] = text;
    }
    const time = type === FILE_TIME && (id === CREATED || id === MODIFIED) ? fileTime(value.readBigUInt64LE(4)) : null;
    if (time !== null && id === CREATED) facts.createdAt = time;
    if (time !== null && id === MODIFIED) facts.metadata['modified'] = time;
  }
  return facts;
};

const SINCE_1601 = 11_644_473_600_000;

/** Ticks of 100 ns since 1601; null for none, and for years that no file is from. */
const fileTime = (ticks: bigint): string | null => {
  const time = new Date(Number(ticks / 10_000n) - SINCE_1601);
  const year = time.getUTCFullYear();
  return year >= 1980 && year <= 2200 ? time.toISOString() : null;
};
