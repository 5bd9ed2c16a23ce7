import { once } from 'node:events';
import type { Answer } from './locals.js';

export interface ServerSentEvent {
  event: string;
  data: unknown;
}

export const HEARTBEAT_MS = 15_000;

/** Writes events as they come, at the reader's pace, with a heartbeat between them. Ends with the events or the reader. */
export const sendEvents = async (res: Answer, events: AsyncIterable<ServerSentEvent>): Promise<void> => {
  res.status(200);
  res.setHeader('content-type', 'text/event-stream; charset=utf-8');
  res.setHeader('cache-control', 'no-store');
  res.setHeader('x-accel-buffering', 'no');
  res.write(':\n\n'); // some browsers take the headers only with a first byte
  const heart = setInterval(() => res.write(':\n\n'), HEARTBEAT_MS);
  const { signal } = res.locals;
  try {
    for await (const { event, data } of events) {
      if (signal.aborted) break;
      if (!res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
        await once(res, 'drain', { signal }).catch(() => {});
    }
  } finally {
    clearInterval(heart);
    res.end();
  }
};
