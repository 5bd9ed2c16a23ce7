import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address for the replicas of a service, as a Service of Kubernetes is. */
export interface Balancer {
  /** http://127.0.0.1:<port>, the same for its whole life. */
  readonly url: string;
  /** Replicas that take new connections, by their addresses. What is open stays where it is. */
  use(urls: readonly string[]): void;
  close(): Promise<void>;
}

/** Gives each new connection to the next replica in turn, and to another one where it is refused. */
export const startBalancer = async (): Promise<Balancer> => {
  let replicas: readonly URL[] = [];
  let turn = 0;
  const open = new Set<Socket>();

  const follow = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => {}).once('close', () => open.delete(socket));
  };
  const connected = (to: URL): Promise<Socket | undefined> =>
    new Promise((resolve) => {
      const socket = connect(Number(to.port), to.hostname);
      socket.once('connect', () => resolve(socket)).once('error', () => resolve(undefined));
    });
  const pass = async (caller: Socket): Promise<void> => {
    follow(caller);
    const there = replicas;
    for (let tries = 0; tries < there.length; tries++) {
      const replica = there[turn++ % there.length];
      const onward = replica && (await connected(replica));
      if (!onward) continue;
      follow(onward);
      onward.setNoDelay(true);
      caller.setNoDelay(true);
      caller.once('close', () => onward.destroy());
      onward.once('close', () => caller.destroy());
      caller.pipe(onward).pipe(caller);
      return;
    }
    caller.destroy();
  };
  const server = createServer((caller) => void pass(caller));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server's address is an object
  return {
    url: `http://127.0.0.1:${port}`,
    use: (urls) => {
      replicas = urls.map((url) => new URL(url));
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
