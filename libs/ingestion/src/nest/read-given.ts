import { Readable } from 'node:stream';
import { Chunking, CodedError } from '@postmaster/contracts';
import { z } from 'zod';
import type { GivenDocument } from '../document.js';

/** What the gateway says of an upload: the first line of the request's body, as JSON. The file's bytes follow it. */
const Given = z.object({
  name: z.string().min(1),
  declaredType: z.string().optional(),
  sourceType: z.string().optional(),
  sourceId: z.string().optional(),
  sourceUri: z.string().optional(),
  title: z.string().optional(),
  collection: z.string().optional(),
  createdAt: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  chunking: Chunking.optional(),
  priority: z.enum(['INTERACTIVE', 'BULK']).optional(),
});

const MOST_LINE_BYTES = 1024 * 1024;
const LINE_END = 10;

export interface GivenUpload {
  given: GivenDocument;
  /** Read at the taker's pace. Fails where the request breaks off. */
  bytes: Readable;
}

/** Reads the line and hands the rest on. Throws INPUT_INVALID; UPLOAD_BROKEN where nothing comes for `idleMs`. */
export const readGiven = async (request: Readable, idleMs: number): Promise<GivenUpload> => {
  const chunks = whileMoving(request, idleMs);
  try {
    const { line, after } = await readLine(chunks);
    return { given: givenOf(line), bytes: rest(after, chunks) };
  } catch (error) {
    await chunks.return();
    throw error;
  }
};

/** The first line, and what came with its end. */
const readLine = async (chunks: AsyncGenerator<Buffer, void>): Promise<{ line: string; after: Buffer }> => {
  const pieces: Buffer[] = [];
  for (let length = 0; length <= MOST_LINE_BYTES;) {
    const { done, value: chunk } = await chunks.next();
    if (done) throw notGiven('the request has no first line');
    const end = chunk.indexOf(LINE_END);
    pieces.push(end < 0 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (end >= 0) return { line: Buffer.concat(pieces).toString('utf8'), after: chunk.subarray(end + 1) };
  }
  throw notGiven('the first line is too long');
};

const rest = (first: Buffer, chunks: AsyncGenerator<Buffer, void>): Readable =>
  Readable.from(
    (async function* () {
      if (first.length > 0) yield first;
      yield* chunks;
    })(),
    { objectMode: false },
  );

const givenOf = (line: string): GivenDocument => {
  try {
    const { priority, ...given } = Given.parse(JSON.parse(line));
    return { ...given, lane: priority === 'BULK' ? 'bulk' : 'interactive' };
  } catch (cause) {
    throw notGiven('the first line is not what was agreed on', cause);
  }
};

const notGiven = (why: string, cause?: unknown): CodedError =>
  new CodedError('INPUT_INVALID', `The upload can not be read: ${why}.`, { cause });

/** The request itself stays open when its reader stops, so that it can still be answered. */
async function* whileMoving(request: Readable, idleMs: number): AsyncGenerator<Buffer, void> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>; // no encoding is set
  try {
    for (;;) {
      const { done, value } = await within(chunks.next(), idleMs);
      if (done) return;
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}

const within = async <T>(coming: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const stalled = () => reject(new CodedError('UPLOAD_BROKEN', `The upload stood still for ${ms} ms.`));
    timer = setTimeout(stalled, ms);
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
    coming.catch(() => {}); // too late to tell
  }
};
