import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endProcess } from './end-process.js';
import { freePort } from './free-port.js';

/** How this machine starts a Qdrant. */
export interface QdrantLauncher {
  /** A stand-in of Python takes the same calls, holds nothing in indexes, knows no keys and is slow with many points. */
  kind: 'server' | 'stand-in';
  command(port: number, folder: string): { program: string; args: string[]; env: Record<string, string> };
}

export interface QdrantServer {
  /** http://127.0.0.1:<port>, the same for its whole life. */
  url: string;
  /** SIGKILL; its data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the data that are left; kills it before where it runs. */
  restart(): Promise<void>;
  /** Ends it; a folder of its own is removed. */
  stop(): Promise<void>;
}

export interface QdrantServerOptions {
  launcher?: QdrantLauncher;
  /** A temporary one unless told. */
  folder?: string;
  /** A free one unless told. */
  port?: number;
}

const CHECKOUT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const START_MS = 30_000;

/**
 * A Qdrant server (QDRANT_BINARY), or the stand-in in the folder QDRANT_LOCAL (unless told, qdrant-local among the
 * shared tools beside this checkout) with a Python that has its packages (QDRANT_PYTHON; unless told, that of
 * node_modules/.cache/qdrant-venv, or python3). Undefined where this machine has neither.
 */
export const qdrantLauncher = (): QdrantLauncher | undefined => {
  const { QDRANT_BINARY, QDRANT_LOCAL, QDRANT_PYTHON } = process.env;
  if (QDRANT_BINARY) return serverOf(QDRANT_BINARY);
  const script = join(QDRANT_LOCAL ?? join(CHECKOUT, '../shared/tools/qdrant-local'), 'server.py');
  if (!existsSync(script)) return undefined;
  const own = join(CHECKOUT, 'node_modules/.cache/qdrant-venv/bin/python');
  const python = QDRANT_PYTHON ?? (existsSync(own) ? own : 'python3');
  return spawnSync(python, ['-c', 'import qdrant_client'], { stdio: 'ignore' }).status === 0
    ? standInOf(python, script)
    : undefined;
};

const serverOf = (program: string): QdrantLauncher => ({
  kind: 'server',
  command: (port, folder) => ({
    program,
    args: ['--disable-telemetry'],
    env: {
      QDRANT__SERVICE__HOST: '127.0.0.1',
      QDRANT__SERVICE__HTTP_PORT: String(port),
      QDRANT__SERVICE__GRPC_PORT: '', // none
      QDRANT__STORAGE__STORAGE_PATH: join(folder, 'storage'),
      QDRANT__STORAGE__SNAPSHOTS_PATH: join(folder, 'snapshots'),
    },
  }),
});

const standInOf = (program: string, script: string): QdrantLauncher => ({
  kind: 'stand-in',
  command: (port, folder) => ({
    program,
    args: ['-c', WITHOUT_DELAY, script, '--port', String(port), '--path', folder],
    env: {},
  }),
});

/** Runs a script whose HTTP server would send an answer's body only once its head is acknowledged, 40 ms later. */
const WITHOUT_DELAY = [
  'import runpy, socketserver, sys',
  'socketserver.StreamRequestHandler.disable_nagle_algorithm = True',
  'sys.argv = sys.argv[1:]',
  "runpy.run_path(sys.argv[0], run_name='__main__')",
].join('\n');

/** A Qdrant on 127.0.0.1. Throws where this machine has none, or where it does not start. */
export const startQdrant = async (options: QdrantServerOptions = {}): Promise<QdrantServer> => {
  const launcher = options.launcher ?? qdrantLauncher();
  if (!launcher) throw new Error('There is no Qdrant here: set QDRANT_BINARY, or QDRANT_LOCAL and QDRANT_PYTHON.');
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'postmaster-qdrant-')));
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  let server: ChildProcess | undefined;

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = server;
    server = undefined;
    await endProcess(ending, signal);
  };
  const start = async (): Promise<void> => {
    const { program, args, env } = launcher.command(port, folder);
    const started = spawn(program, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, ...env } });
    server = started;
    const until = Date.now() + START_MS;
    while (Date.now() < until && started.exitCode === null) {
      if (await answers(url)) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await end('SIGKILL');
    throw new Error('Qdrant did not start.');
  };

  await start();
  return {
    url,
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGKILL');
      await start();
    },
    stop: async () => {
      await end('SIGTERM');
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
};

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
