import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const MAIN = at('../apps/standalone/dist/main.js');
/** With E2E_SERVER=cluster, the same tests go to the front door of the spread-out topology. */
const CLUSTER = process.env.E2E_SERVER === 'cluster';

export interface ServerProcess extends ProcessUnderTest {
  readonly key: string;
  readonly folder: string;
}

export interface ProcessUnderTest {
  readonly url: string;
  /** All that it printed and logged. */
  output(): string;
  /** SIGKILL, or a graceful end; resolves when it is gone. */
  end(signal?: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | null>;
}

export const temporaryFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'postmaster-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
};

const START_WITHIN_MS = CLUSTER ? 150_000 : 60_000;

/** The real server as a process of its own, on a free port, with its home and data in `folder`. */
export const startServer = async (folder: string, env: Record<string, string> = {}): Promise<ServerProcess> => {
  const running = CLUSTER
    ? await startProcess(at('../scripts/cluster.mjs'), folder, env, ['--folder', folder])
    : await startProcess(MAIN, folder, env);
  return { ...running, folder, key: readFileSync(join(folder, 'data', 'api-key'), 'utf8').trim() };
};

/** A program that says where it runs, on a free port, with its home and data in `folder`. */
export const startProcess = async (
  main: string,
  folder: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<ProcessUnderTest> => {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PORT: '0',
      POSTMASTER_DATA: join(folder, 'data'),
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const url = await started(child, () => output);
  return {
    url,
    output: () => output,
    end: (signal = 'SIGTERM') =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
        child.once('exit', resolve);
        child.kill(signal);
      }),
  };
};

/** Runs the server where it is expected to refuse to start; gives what it said. */
export const refusedStart = async (
  folder: string,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> => {
  try {
    const server = await startServer(folder, env);
    await server.end('SIGKILL');
    throw new Error(`It started: ${server.output()}`);
  } catch (error) {
    if (error instanceof NotStarted) return { code: error.code, output: error.output };
    throw error;
  }
};

class NotStarted extends Error {
  constructor(
    readonly code: number | null,
    readonly output: string,
  ) {
    super(`The server ended with ${code}: ${output}`);
  }
}

const started = (child: ChildProcess, output: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = setInterval(() => {
      const url = /runs at (http:\S+)/.exec(output())?.[1];
      if (url) finish(() => resolve(url));
    }, 20);
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      finish(() => reject(new Error(`The server did not start: ${output()}`)));
    }, START_WITHIN_MS);
    child.once('exit', (code) => finish(() => reject(new NotStarted(code, output()))));
    const finish = (then: () => void): void => {
      clearInterval(look);
      clearTimeout(late);
      then();
    };
  });
