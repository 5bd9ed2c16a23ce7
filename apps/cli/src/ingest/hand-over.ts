import { type Chunking, graphName } from '@postmaster/contracts';
import { CliError, Stopped } from '../cli-error.js';
import type { Accepted, Client } from '../client/client.js';
import { errorCodeOf } from '../error-code-of.js';
import { EXIT } from '../exit-codes.js';
import type { Source } from './source.js';
import type { Tracked, Tracker } from './tracker.js';

export interface HandOverOptions {
  collection?: string;
  metadata?: Record<string, unknown>;
  /** As the tenant wants it where absent. */
  chunking?: Chunking;
  bulk: boolean;
  /** Whether documents are followed after they are taken in. */
  follow: boolean;
  signal: AbortSignal;
  onSettled(tracked: Tracked): void;
}

const AT_ONCE = 4;

/**
 * Gives the server every source, a few at once. What it refuses is noted and the rest goes on; a server that is gone,
 * or a key that may not, ends it.
 */
export const handOver = async (client: Client, tracker: Tracker, options: HandOverOptions): Promise<void> => {
  const waiting = tracker.all.values();
  let ended: unknown;
  const next = async (): Promise<void> => {
    for (const tracked of waiting) {
      if (ended !== undefined || options.signal.aborted) return;
      try {
        tracker.accept(tracked, await sendOne(client, tracked.source, options), options.follow);
      } catch (error) {
        if (endsAll(error)) ended ??= error;
        else tracker.fail(tracked, failureOf(error, tracked.source));
      }
      if (tracked.settled) options.onSettled(tracked);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  if (ended !== undefined && !(ended instanceof Stopped)) throw ended;
};

const sendOne = (
  client: Client,
  source: Source,
  { collection, metadata, chunking, bulk }: HandOverOptions,
): Promise<Accepted> => {
  const priority = bulk ? 'BULK' : 'INTERACTIVE';
  if (source.kind === 'url')
    return client.ingestUrl({
      ...{ url: source.sourceId, collection, metadata, priority },
      chunking: chunking && graphName(chunking),
    });
  const { sourceType, sourceId, sourceUri } = source;
  return client.upload(source, {
    ...{ sourceType, sourceId, sourceUri, collection, priority, chunking },
    metadata: metadata && JSON.stringify(metadata),
  });
};

const endsAll = (error: unknown): boolean =>
  error instanceof Stopped ||
  (error instanceof CliError && (error.exitCode === EXIT.noServer || error.exitCode === EXIT.notAllowed));

const failureOf = (error: unknown, source: Source) => {
  if (error instanceof CliError) return error.toFailure();
  const code = errorCodeOf(error);
  if (code === undefined || source.kind === 'url') throw error;
  return {
    code: 'FILE_UNREADABLE',
    message: `The file can not be read (${code}).`,
    next: 'Check that it is there and that you may read it.',
  };
};
