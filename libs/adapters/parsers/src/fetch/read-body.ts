import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { pipeline } from 'node:stream';
import { unreachable } from './request-once.js';
import { tooLarge } from './too-large.js';

/** The bytes of an answer, decompressed where its server compressed them unasked, up to the limit. */
export const readBody = async function* (
  response: IncomingMessage,
  url: URL,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of decoded(response) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw unreachable(error, url, { timeoutMs, signal });
  } finally {
    response.destroy();
  }
};

const decoded = (response: IncomingMessage): AsyncIterable<unknown> => {
  const decoder = decoderOf(response.headers['content-encoding']?.toLowerCase());
  // The error of either side reaches whoever iterates.
  return decoder ? pipeline(response, decoder, () => undefined) : response;
};

const decoderOf = (encoding: string | undefined): ReturnType<typeof createGunzip> | null => {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  return encoding === 'br' ? createBrotliDecompress() : null;
};
