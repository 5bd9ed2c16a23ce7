import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { CodedError } from '@postmaster/contracts';
import type { StoredBlob } from '@postmaster/ingestion';

export interface WriteLimits {
  maxBytes: number;
  signal?: AbortSignal;
  /** Not to the disk: the file is only passing through. */
  passing?: boolean;
}

/** Writes a stream to a new file and to the disk, hashing it on the way. May leave the file behind when it throws. */
export const writeHashed = async (
  file: string,
  bytes: Readable,
  { maxBytes, signal, passing }: WriteLimits,
): Promise<StoredBlob> => {
  const hash = createHash('sha256');
  let written = 0;
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of brokenIsCoded(bytes, signal)) {
      written += chunk.length;
      if (written > maxBytes)
        throw new CodedError('TOO_LARGE', `The upload is larger than ${maxBytes.toLocaleString('en')} bytes.`);
      hash.update(chunk);
      await handle.writeFile(chunk); // goes on where the last one ended
    }
    if (!passing) await handle.sync();
  } catch (error) {
    bytes.destroy();
    throw error;
  } finally {
    await handle.close();
  }
  return { hash: hash.digest('hex'), bytes: written };
};

/** A stream's own failure is the sender's matter; it is told apart from a failure to write. */
async function* brokenIsCoded(bytes: Readable, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const abort = (): void => void bytes.destroy(new Error('The upload was aborted.'));
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    // Ended by us, it is not its own failure: whoever gave the stream asks it for that.
    for await (const chunk of bytes.iterator({ destroyOnReturn: false }))
      yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as Uint8Array | string);
  } catch (cause) {
    throw new CodedError('UPLOAD_BROKEN', 'The upload ended before its end.', { cause });
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
