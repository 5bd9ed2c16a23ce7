import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { endProcess } from './end-process.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);

export interface PostgresServer {
  /** Login of a superuser on a database of its own; the same for its whole life. */
  url: string;
  /** SIGKILL; its data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port; kills it before where it runs. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** Where this machine has a Postgres server's programs, the newest first; undefined where it has none. */
export const postgresBinaries = (): string | undefined => {
  const debian = existsSync(DEBIAN_VERSIONS)
    ? readdirSync(DEBIAN_VERSIONS)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(DEBIAN_VERSIONS, version, 'bin'))
    : [];
  return [...debian, ...(process.env.PATH ?? '').split(delimiter)].find((folder) =>
    ['initdb', 'postgres', 'pg_isready'].every((program) => existsSync(join(folder, program))),
  );
};

export interface PostgresOptions {
  /** Further settings, as "max_connections=200". */
  settings?: readonly string[];
}

/** A real Postgres on a free port of 127.0.0.1 in a temporary folder; it asks for no password and keeps nothing. */
export const startPostgres = async (
  binaries: string,
  { settings = [] }: PostgresOptions = {},
): Promise<PostgresServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'postmaster-postgres-'));
  const user = await unprivilegedUser();
  if (user) {
    await chmod(folder, 0o700);
    await run('chown', [`${user.uid}:${user.gid}`, folder]);
  }
  const as = { ...user, cwd: folder };
  const data = join(folder, 'data');
  await run(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], as);
  const port = await freePort();
  const options = ['-D', data, '-k', folder, '-h', '127.0.0.1', '-p', String(port), '-F'];
  let server: ChildProcess | undefined;

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = server;
    server = undefined;
    await endProcess(ending, signal);
  };
  const isUp = () =>
    run(join(binaries, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    );
  /** After a kill, its last sessions may hold their memory for a moment: then it refuses, and is tried again. */
  const start = async (): Promise<void> => {
    const further = settings.flatMap((setting) => ['-c', setting]);
    for (let tries = 0; tries < 300; tries++) {
      if (!server || server.exitCode !== null)
        server = spawn(join(binaries, 'postgres'), [...options, ...further], { ...as, stdio: 'ignore' });
      if (await isUp()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await end('SIGKILL');
    throw new Error('The test Postgres did not start.');
  };

  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGKILL');
      await start();
    },
    stop: async () => {
      await end('SIGINT'); // a fast shutdown: sessions are ended
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
};

/** Postgres refuses to run as root; then it runs as another user. */
const unprivilegedUser = async (): Promise<{ uid: number; gid: number } | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (flag: string): Promise<number> => {
    const of = (name: string) => run('id', [flag, name]).then(({ stdout }) => Number(stdout));
    return of('postgres').catch(() => of('nobody'));
  };
  return { uid: await id('-u'), gid: await id('-g') };
};
