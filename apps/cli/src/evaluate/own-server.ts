import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CliError } from '../cli-error.js';
import { findServer, type ServerPlace } from '../client/find-server.js';
import type { Surroundings } from '../surroundings.js';

/** The server of this checkout, from src/ and dist/ alike; a command line that was installed alone has none. */
const SERVER = fileURLToPath(new URL('../../../standalone/dist/main.js', import.meta.url));
const START_MS = 60_000;
const STOP_MS = 10_000;
const TOLD_LINES = 10;

/** What it takes of the user's settings: which models it runs with. */
const TAKEN = /^(PATH|TMPDIR|TEMP|TMP|SystemRoot|LANG|(ENCODER|LLM)_\w+)$/;

export interface OwnServer {
  place: ServerPlace;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

export const hasOwnServer = (): boolean => existsSync(SERVER);

/** Starts the embedded system in a temporary folder that goes with it, on any free port. Throws SERVER_NOT_STARTED. */
export const startOwnServer = async ({ env, signal }: Surroundings): Promise<OwnServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'postmaster-evaluate-'));
  const logPath = join(folder, 'server.log');
  const log = openSync(logPath, 'a');
  const child = spawn(process.execPath, [SERVER], {
    cwd: folder,
    env: {
      ...Object.fromEntries(Object.entries(env).filter(([name]) => TAKEN.test(name))),
      ...{ HOME: folder, USERPROFILE: folder, POSTMASTER_DATA: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'warn' },
    },
    stdio: ['ignore', log, log],
    detached: true, // Ctrl-C reaches this process only, which then ends the server in good order
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const running = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const kill = (): unknown => running() && child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    if (running()) {
      child.kill('SIGTERM');
      await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
      kill();
      await ended;
    }
    process.removeListener('exit', kill);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const note = join(folder, '.postmaster', 'server.json');
    for (let waited = 0; !existsSync(note); waited += 100) {
      if (!running() || waited > START_MS) throw await notStarted(logPath);
      await sleep(100, undefined, { signal });
    }
    return { place: await findServer({ env: {}, home: folder }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const notStarted = async (logPath: string): Promise<CliError> => {
  const told = (await readFile(logPath, 'utf8')).trim().split('\n').slice(-TOLD_LINES).join(' · ');
  return new CliError(
    'SERVER_NOT_STARTED',
    `The server for this run did not start: ${told || 'it said nothing.'}`,
    'Start one with `npm start`, see what it says, and leave it running; or set POSTMASTER_URL.',
  );
};
