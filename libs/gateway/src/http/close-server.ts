import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ClosingServer {
  /** Takes no new connections; resolves when the last one is closed. */
  close(): Promise<unknown>;
  /** Ends streams. */
  stop: AbortController;
  /** Ends running requests with a coded error. */
  cut: AbortController;
  withinMs: number;
}

/** In which a request that was cut may still tell its caller so. */
const LAST_WORDS_MS = 250;
const SWEEP_MS = 25;
/** Browsers open connections in advance, which Node does not count as idle; a request may just be on its way, though. */
const UNUSED_MS = 250;

/**
 * Gives what closes the server: streams end at once, running requests when they are done or after `withinMs`, and
 * connections as they fall idle.
 */
export const closerOf = (server: Server): ((closing: ClosingServer) => Promise<void>) => {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return async ({ close, stop, cut, withinMs }) => {
    stop.abort();
    const timers = [
      setInterval(() => server.closeIdleConnections(), SWEEP_MS),
      setTimeout(() => unused.forEach((socket) => socket.destroy()), UNUSED_MS),
      setTimeout(() => cut.abort(), withinMs),
      setTimeout(() => server.closeAllConnections(), withinMs + LAST_WORDS_MS),
    ];
    try {
      await close();
    } finally {
      timers.forEach((timer) => clearTimeout(timer));
    }
  };
};
