import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  url: string;
  /** What a path is answered with, as status and JSON; 404 for others. May be changed while it runs. */
  answers: Record<string, readonly [status: number, body: unknown]>;
  close(): Promise<void>;
}

export const startHttpServer = async (answers: HttpServer['answers'] = {}): Promise<HttpServer> => {
  const served = { answers };
  const server = createServer((request, response) => {
    const [status, body] = served.answers[request.url ?? ''] ?? [404, { status: { error: 'no such path' } }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server's address is an object
  return Object.assign(served, {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
};
