import { once } from 'node:events';
import { CodedError } from '@postmaster/contracts';
import type { Answer } from './locals.js';
import { untilEnding } from './until-ending.js';

export interface ServerSentEvent {
  event: string;
  data: unknown;
}

export const HEARTBEAT_MS = 15_000;

/** What a stream ends with when the server stops in the middle of it. */
export const stopping = (): CodedError =>
  new CodedError('SERVICE_UNAVAILABLE', 'The server is stopping.', { next: 'Connect again in a moment.' });

/**
 * Writes events as they come, at the reader's pace, with a heartbeat between them. Ends with the events or the reader;
 * with an `error` event when the server stops.
 */
export const sendEvents = async (res: Answer, events: AsyncIterable<ServerSentEvent>): Promise<void> => {
  res.status(200);
  res.setHeader('content-type', 'text/event-stream; charset=utf-8');
  res.setHeader('cache-control', 'no-store');
  res.setHeader('x-accel-buffering', 'no');
  res.write(':\n\n'); // some browsers take the headers only with a first byte
  const heart = setInterval(() => res.write(':\n\n'), HEARTBEAT_MS);
  const { ending } = res.locals;
  const last = () => ({ event: 'error', data: stopping().toFailure() });
  try {
    for await (const { event, data } of untilEnding(events, ending, last)) {
      if (res.destroyed) break;
      if (!res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
        await once(res, 'drain', { signal: ending }).catch(() => {});
    }
  } finally {
    clearInterval(heart);
    res.end();
  }
};
