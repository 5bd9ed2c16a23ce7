import { type Server, connect, createServer } from 'node:net';

/** What the process that holds a data folder says of itself. */
export interface Holder {
  pid: number;
  /** Where its server answers, once it does. */
  url?: string;
}

/** Listens at `path` without keeping the process alive, and tells whoever connects who holds it. */
export const listenAsHolder = (path: string, holder: () => Holder): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}); // the asker left; its own matter
      socket.end(`${JSON.stringify(holder())}\n`);
    });
    server.unref();
    server.once('error', reject);
    server.listen({ path, exclusive: true }, () => resolve(server));
  });

/** 'nobody' listens there; 'silent' is one that took the connection and said nothing in time. */
export const askHolder = (path: string, timeoutMs = 1_000): Promise<Holder | 'nobody' | 'silent'> =>
  new Promise((resolve) => {
    let said = '';
    let connected = false;
    const socket = connect({ path });
    const end = (answer: Holder | 'nobody' | 'silent'): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => end('silent'));
    socket.on('connect', () => (connected = true));
    socket.on('data', (bytes) => (said += bytes.toString()));
    socket.on('error', () => end(connected ? 'silent' : 'nobody'));
    socket.on('end', () => end(holderIn(said) ?? 'silent'));
  });

const holderIn = (line: string): Holder | undefined => {
  try {
    const said: unknown = JSON.parse(line);
    if (typeof said !== 'object' || said === null || !('pid' in said) || typeof said.pid !== 'number') return undefined;
    return { pid: said.pid, url: 'url' in said && typeof said.url === 'string' ? said.url : undefined };
  } catch {
    return undefined;
  }
};
