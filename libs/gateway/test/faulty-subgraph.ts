import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';

export interface FaultySubgraph {
  url: string;
  /** Requests that came in. */
  readonly asked: number;
  close(): Promise<void>;
}

/** A server that speaks HTTP and then does as it is told. */
export const faultySubgraph = async (
  answer: (res: ServerResponse, nth: number, req: IncomingMessage) => void,
): Promise<FaultySubgraph> => {
  let asked = 0;
  const server = createServer((req, res) => {
    asked += 1;
    req.resume().once('end', () => answer(res, asked, req));
  });
  const listening = await listen(server);
  return {
    url: `http://${listening}/graphql`,
    get asked() {
      return asked;
    },
    close: () => {
      server.closeAllConnections();
      return closed(server);
    },
  };
};

/** A server that takes connections and says nothing: what is asked of it by https never gets through its handshake. */
export const muteServer = async (): Promise<{ address: string; close(): Promise<void> }> => {
  const server = createTcpServer((socket) => void socket.on('error', () => {}).unref());
  return { address: await listen(server), close: () => closed(server) };
};

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.unref();
    setTimeout(resolve, 200).unref(); // mute connections end with the process
  });
