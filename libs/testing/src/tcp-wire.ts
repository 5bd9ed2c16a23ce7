import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that can be broken, as networks are. */
export interface TcpWire {
  /** The server's address by this way. */
  url: string;
  /** What is open stays open and carries nothing any more; new connections work. */
  freeze(): void;
  /** Everything open is broken off, and new connections are refused, until it is mended. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Passes bytes on to the server of this address, on a port of its own on 127.0.0.1. */
export const startWire = async (to: string): Promise<TcpWire> => {
  const target = new URL(to);
  const open = new Set<Socket>();
  const pass = (socket: Socket): void => {
    const onward = connect(Number(target.port), target.hostname);
    for (const one of [socket, onward]) {
      open.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          open.delete(one);
          (one === socket ? onward : socket).destroy();
        });
    }
    socket.pipe(onward).pipe(socket);
  };
  let server: Server | undefined;
  const listen = async (port: number): Promise<number> => {
    const made = createServer(pass);
    server = made;
    await new Promise<void>((resolve, reject) => made.once('error', reject).listen(port, '127.0.0.1', resolve));
    return (made.address() as AddressInfo).port; // a listening TCP server's address is an object
  };
  const cut = async (): Promise<void> => {
    const ending = server;
    server = undefined;
    for (const socket of open) socket.destroy();
    if (ending) await new Promise((resolve) => ending.close(resolve));
  };

  const port = await listen(0);
  const url = new URL(to);
  url.port = String(port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    freeze: () => open.forEach((socket) => socket.unpipe().pause()),
    cut,
    mend: async () => {
      if (!server) await listen(port);
    },
    close: cut,
  };
};
