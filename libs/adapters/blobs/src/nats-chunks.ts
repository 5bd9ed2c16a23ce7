import { createReadStream } from 'node:fs';
import type { StoredMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/nats-core';
import { CodedError } from '@postmaster/contracts';
import type { NatsBucket, ObjectMeta } from './nats-bucket.js';

/** The place of a chunk in its object, so that a part of it is found without reading what is before. */
const CHUNK_NUMBER = 'Postmaster-Chunk';

export interface WrittenChunks {
  chunks: number;
  /** The first one's sequence in the stream; 0 where there is none. */
  first: number;
  /** Bytes of each but the last. */
  size: number;
}

/** Writes a file's bytes under an object's subject, one chunk after the other: the server sets the pace. */
export const writeChunks = async (bucket: NatsBucket, nuid: string, path: string): Promise<WrittenChunks> => {
  const size = await bucket.largestChunk();
  let first = 0;
  let chunks = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: size })) {
    const numbered = headers();
    numbered.set(CHUNK_NUMBER, String(chunks));
    const options = { headers: numbered, msgID: `${nuid}:${chunks}` };
    const { seq } = await bucket.publish(bucket.chunksOf(nuid), chunk as Buffer, options); // no encoding is set
    if (chunks === 0) first = seq;
    chunks++;
  }
  return { chunks, first, size };
};

/** The bytes from `start` to `end`, both inclusive; one chunk is fetched while another is taken. */
export async function* readChunks(
  bucket: NatsBucket,
  meta: ObjectMeta,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  const size = meta.options.max_chunk_size;
  const last = Math.floor(end / size);
  let wanted = Math.floor(start / size);
  if (wanted > last || end < start) return;
  // Chunks of other objects may stand between these, so that the first one found from here on is this or an earlier one.
  let next = chunkFrom(bucket, meta, meta.metadata.first + wanted);
  for (;;) {
    const found = await next;
    const number = Number(found.header.get(CHUNK_NUMBER));
    if (number > wanted) throw goneMeanwhile(meta);
    if (number < last) {
      next = chunkFrom(bucket, meta, found.seq + 1);
      next.catch(() => {}); // it is told when it is awaited, if it ever is
    }
    if (number < wanted) continue;
    const offset = number * size;
    yield found.data.subarray(Math.max(0, start - offset), end + 1 - offset);
    if (number === last) return;
    wanted++;
  }
}

/** A copy of the stream that lags may not have it yet; its leader has. */
const chunkFrom = (bucket: NatsBucket, meta: ObjectMeta, seq: number): Promise<StoredMsg> =>
  bucket.manage(async ({ direct, streams }) => {
    const query = { seq, next_by_subj: bucket.chunksOf(meta.nuid) };
    const found =
      (await direct.getMessage(bucket.stream, query)) ??
      // the types lack what the server takes here as well
      (await streams.getMessage(bucket.stream, query as { seq: number }));
    if (!found) throw goneMeanwhile(meta);
    return found;
  });

const goneMeanwhile = ({ name }: ObjectMeta): CodedError =>
  new CodedError('NOT_FOUND', `The bytes of "${name}" were removed while they were read.`);
