import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLUSTER, FILES, joinServer } from './joined-server.js';
import { NotStarted, type ServingProcess, startServing } from '@postmaster/testing';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const MAIN = at('../apps/standalone/dist/main.js');

export interface ServerProcess extends ServingProcess {
  /** The tenant that `key` is of. */
  readonly tenant: string;
  readonly key: string;
  readonly folder: string;
  /** Below it lies all that the server stores. */
  readonly kept: string;
}

export const temporaryFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(FILES ?? tmpdir(), 'postmaster-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
};

const START_WITHIN_MS = 60_000;

/** The real server as a process of its own, on a free port, with its home and data in `folder`; or the cluster. */
export const startServer = async (folder: string, env: Record<string, string> = {}): Promise<ServerProcess> => {
  if (CLUSTER) return joinServer(folder, env);
  const running = await startProcess(MAIN, folder, env);
  const kept = join(folder, 'data');
  return { ...running, folder, kept, tenant: 'default', key: readFileSync(join(kept, 'api-key'), 'utf8').trim() };
};

/** A program that says where it runs, on a free port, with its home and data in `folder`. */
export const startProcess = (main: string, folder: string, env: Record<string, string>): Promise<ServingProcess> =>
  startServing({
    ...{ main, cwd: folder, startWithinMs: START_WITHIN_MS },
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
