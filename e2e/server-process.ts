import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotStarted, type ServingProcess, startServing } from '@postmaster/testing';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const MAIN = at('../apps/standalone/dist/main.js');
/** With E2E_SERVER=cluster, the same tests go to the front door of the spread-out topology. */
const CLUSTER = process.env.E2E_SERVER === 'cluster';

export interface ServerProcess extends ServingProcess {
  readonly key: string;
  readonly folder: string;
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
export const startProcess = (
  main: string,
  folder: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<ServingProcess> =>
  startServing({
    ...{ main, args, cwd: folder, startWithinMs: START_WITHIN_MS },
    env: { HOME: folder, PORT: '0', POSTMASTER_DATA: join(folder, 'data'), LOG_LEVEL: 'warn', ...env },
  });

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
