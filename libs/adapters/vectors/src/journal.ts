import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { NAMED_VECTORS, type PointPayload } from '@postmaster/contracts';
import type { PointState } from './fresh-points.js';

/**
 * A file of the changes that the table in LanceDB has not taken in yet. What an ended `append` wrote is there after the
 * process was killed, all of it or, of one that had not ended, perhaps nothing. Reading the same changes into a table
 * that has them already changes nothing, so nothing depends on when it is cleared.
 *
 * A record: "PMJ1", the length of its body, the body's CRC-32; the body is the length of its JSON, the JSON, and, from
 * the next multiple of four bytes, the vectors and term hashes that the JSON counts. All in little-endian words.
 */
export class Journal {
  private constructor(
    private readonly file: FileHandle,
    private end: number,
  ) {}

  /** Opens or makes the file, and reads what is in it, oldest first, up to the first record that is not whole. */
  static async open(path: string, dimension: number): Promise<{ journal: Journal; changes: PointState[] }> {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT);
    const changes: PointState[] = [];
    const bytes = await file.readFile();
    let end = 0;
    for (let body = bodyAt(bytes, 0); body; body = bodyAt(bytes, end)) {
      changes.push(...decode(body, dimension));
      end += HEAD + body.length;
    }
    return { journal: new Journal(file, end), changes };
  }

  static remove(path: string): Promise<void> {
    return rm(path, { force: true });
  }

  /** Bytes in use. */
  get size(): number {
    return this.end;
  }

  /** Written in one piece; a failure leaves the file as it was. */
  async append(changes: readonly PointState[]): Promise<void> {
    const body = encode(changes);
    const head = Buffer.alloc(HEAD);
    head.writeUInt32LE(MAGIC, 0);
    head.writeUInt32LE(body.length, 4);
    head.writeUInt32LE(crc32(body), 8);
    const record = Buffer.concat([head, body]);
    // a record that was cut short is written over by the next one, and what is left behind that one is none
    for (let at = 0; at < record.length;)
      at += (await this.file.write(record, at, record.length - at, this.end + at)).bytesWritten;
    this.end += record.length;
  }

  /** What was appended is on the disk, and not only in the system's memory, when this has ended. */
  sync(): Promise<void> {
    return this.file.datasync();
  }

  async clear(): Promise<void> {
    await this.file.truncate(0);
    this.end = 0;
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

const HEAD = 12;
const MAGIC = 0x314a4d50;

const bodyAt = (bytes: Buffer, at: number): Buffer | undefined => {
  if (bytes.length < at + HEAD || bytes.readUInt32LE(at) !== MAGIC) return undefined;
  const body = bytes.subarray(at + HEAD, at + HEAD + bytes.readUInt32LE(at + 4));
  return body.length === bytes.readUInt32LE(at + 4) && crc32(body) === bytes.readUInt32LE(at + 8) ? body : undefined;
};

/** A removed point has its id only. `vectors`: how many of each name, in their order; `terms`: how many hashes. */
interface Entry {
  id: string;
  kept?: { revision: number; payload: PointPayload; vectors: number[]; terms: number; madeOf?: string };
}

const encode = (changes: readonly PointState[]): Buffer => {
  const words: (Float32Array | Uint32Array)[] = [];
  const entries = changes.map(({ id, after }): Entry => {
    if (!after) return { id };
    const { revision, payload, vectors, terms, madeOf } = after;
    const lists = NAMED_VECTORS.map((name) => vectors[name]);
    words.push(...lists.flat(), terms);
    const counts = { vectors: lists.map((list) => list.length), terms: terms.length };
    return { id, kept: { revision, payload, ...counts, madeOf } };
  });
  const json = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const bytes = words.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  return Buffer.concat([length, json, Buffer.alloc(padding(json.length)), ...bytes]);
};

const decode = (body: Buffer, dimension: number): PointState[] => {
  const json = body.readUInt32LE(0);
  const entries = JSON.parse(body.toString('utf8', 4, 4 + json)) as Entry[]; // written above, and whole by its CRC
  const { buffer } = new Uint8Array(body.subarray(4 + json + padding(json))); // a copy begins at a whole word
  let at = 0;
  const take = (words: number): number => (at += 4 * words) - 4 * words;
  return entries.map(({ id, kept }) => {
    if (!kept) return { id, after: undefined };
    const { revision, payload, madeOf } = kept;
    const lists = kept.vectors.map((many) =>
      Array.from({ length: many }, () => new Float32Array(buffer, take(dimension), dimension)),
    );
    const [paragraph = [], simple_questions = [], complex_questions = [], context = [], scope = []] = lists;
    const vectors = { paragraph, simple_questions, complex_questions, context, scope };
    return {
      id,
      after: { id, revision, payload, vectors, madeOf, terms: new Uint32Array(buffer, take(kept.terms), kept.terms) },
    };
  });
};

const padding = (bytes: number): number => -bytes & 3;
