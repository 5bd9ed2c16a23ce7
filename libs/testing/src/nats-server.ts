import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { endProcess } from './end-process.js';
import { freePort } from './free-port.js';

export interface NatsServer {
  /** nats://127.0.0.1:<port>, the same for its whole life. */
  url: string;
  /** SIGKILL; its data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the data that are left; kills it before where it runs. */
  restart(): Promise<void>;
  /** Kills it, removes its data, and starts it again. */
  wipe(): Promise<void>;
  /** Ends it; a folder of its own is removed. */
  stop(): Promise<void>;
}

export interface NatsServerOptions {
  /** A temporary one unless told. */
  storeDir?: string;
  /** A free one unless told. */
  port?: number;
  /** Further arguments of nats-server, as "--user", "a", "--pass", "b". */
  args?: readonly string[];
  /** Further variables of its environment, as its configuration file may name. */
  env?: Readonly<Record<string, string>>;
}

/** The nats-server of this machine; undefined where it has none. */
export const natsServerBinary = (): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, 'nats-server'))
    .find((program) => existsSync(program));

/** A real nats-server with JetStream on 127.0.0.1. Throws where none is installed, or where it does not start. */
export const startNats = async ({
  storeDir,
  port,
  args = [],
  env = {},
}: NatsServerOptions = {}): Promise<NatsServer> => {
  const binary = natsServerBinary();
  if (!binary) throw new Error('nats-server is not installed.');
  const store = storeDir ?? (await mkdtemp(join(tmpdir(), 'postmaster-nats-')));
  const at = port ?? (await freePort());
  const flags = ['-js', '-sd', store, '-a', '127.0.0.1', '-p', String(at), ...args];
  let server: ChildProcess | undefined;

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = server;
    server = undefined;
    await endProcess(ending, signal);
  };
  const start = async (): Promise<void> => {
    const started = spawn(binary, flags, { stdio: 'ignore', env: { ...process.env, ...env } });
    server = started;
    for (let tries = 0; tries < 200 && started.exitCode === null; tries++) {
      if (await greets(at)) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await end('SIGKILL');
    throw new Error('nats-server did not start.');
  };
  const restart = async (): Promise<void> => {
    await end('SIGKILL');
    await start();
  };

  await start();
  return {
    url: `nats://127.0.0.1:${at}`,
    kill: () => end('SIGKILL'),
    restart,
    wipe: async () => {
      await end('SIGKILL');
      await rm(store, { recursive: true, force: true });
      await mkdir(store, { recursive: true });
      await start();
    },
    stop: async () => {
      await end('SIGTERM');
      if (storeDir === undefined) await rm(store, { recursive: true, force: true });
    },
  };
};

/** True when a server says who it is on this port. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const tell = (there: boolean): void => {
      socket.destroy();
      resolve(there);
    };
    socket.setTimeout(500, () => tell(false));
    socket.once('error', () => tell(false));
    socket.once('data', (data) => tell(data.toString().startsWith('INFO')));
  });
