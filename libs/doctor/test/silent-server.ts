import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SilentServer {
  /** 127.0.0.1:<port> */
  host: string;
  close(): Promise<void>;
}

/** Takes every connection and never says a word: half-open, as behind a firewall that swallows packets. */
export const startSilentServer = async (): Promise<SilentServer> => {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server's address is an object
  return {
    host: `127.0.0.1:${port}`,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
