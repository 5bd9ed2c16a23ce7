import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface PostgresServer {
  /** Login of a superuser on a database of its own. */
  url: string;
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

/** A real Postgres on a free port of 127.0.0.1 in a temporary folder; it asks for no password and keeps nothing. */
export const startPostgres = async (binaries: string): Promise<PostgresServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'postmaster-postgres-'));
  const user = await unprivilegedUser();
  if (user) {
    await chmod(folder, 0o700);
    await run('chown', [`${user.uid}:${user.gid}`, folder]);
  }
  const as = { ...user, cwd: folder };
  await run(join(binaries, 'initdb'), ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '--no-sync'], as);
  const port = await freePort();
  const options = ['-D', join(folder, 'data'), '-k', folder, '-h', '127.0.0.1', '-p', String(port), '-F'];
  const server = spawn(join(binaries, 'postgres'), options, { ...as, stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    server.kill('SIGINT'); // a fast shutdown: sessions are ended
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const ready = () => run(join(binaries, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]);
  for (let tries = 0; server.exitCode === null; tries++) {
    const up = await ready().then(
      () => true,
      () => false,
    );
    if (up) return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
    if (tries === 100) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error('The test Postgres did not start.');
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

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port was given.')),
      );
    });
  });
