import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';

export interface TappedCall {
  method: string;
  /** Without its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What becomes of a call instead of its answer: a status, no answer ever, or a broken connection. */
export type Fault = number | 'silence' | 'reset';

export interface TappedServer {
  url: string;
  /** Every call that came, in order. */
  calls: TappedCall[];
  /** Asked at each call; awaited before it goes on. */
  before: (call: TappedCall) => Promise<Fault | undefined> | Fault | undefined;
  stop(): Promise<void>;
}

/** A real HTTP server that hands every call on to another one and gives back what that answers. */
export const startTap = async (target: string): Promise<TappedServer> => {
  const sockets = new Set<Socket>();
  const server = createServer((asked, answer) => {
    const parts: Buffer[] = [];
    asked.on('data', (part: Buffer) => parts.push(part));
    asked.on('end', () => void pass());
    const pass = async (): Promise<void> => {
      const { method = 'GET', url = '/', headers } = asked;
      const call = { method, path: url.split('?')[0] ?? url, headers, body: Buffer.concat(parts).toString() };
      tap.calls.push(call);
      const fault = await tap.before(call);
      if (fault === 'silence') return;
      if (fault === 'reset') return void asked.socket.destroy();
      if (fault !== undefined) {
        answer.writeHead(fault, { 'content-type': 'application/json' }).end('{"status":{"error":"as asked"}}');
        return;
      }
      const onward = request(new URL(url, target), { method, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      onward.end(Buffer.concat(parts));
    };
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tap: TappedServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    before: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return tap;
};
