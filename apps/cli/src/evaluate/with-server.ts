import { CliError } from '../cli-error.js';
import { transportTo } from '../client/transport.js';
import { findServer, type ServerPlace } from '../client/find-server.js';
import { EXIT } from '../exit-codes.js';
import type { Session } from '../session.js';
import type { Surroundings } from '../surroundings.js';
import { hasOwnServer, startOwnServer } from './own-server.js';

/** Acts with the running server; where none runs and none is named, with one of its own for so long. */
export const withServer = async <T>({ surroundings }: Session, act: (place: ServerPlace) => Promise<T>): Promise<T> => {
  const running = await runningServer(surroundings);
  if (running) return act(running);
  const tell = (text: string): void => void surroundings.stderr.write(`${text}\n`);
  tell('No server runs here: one is started in a temporary folder for this run.');
  const own = await startOwnServer(surroundings);
  try {
    return await act(own.place);
  } finally {
    await own.stop();
    tell('It was stopped, and its folder removed.');
  }
};

const runningServer = async (surroundings: Surroundings): Promise<ServerPlace | undefined> => {
  try {
    const place = await findServer(surroundings);
    const answer = await transportTo(place, surroundings.signal)({ method: 'GET', path: 'health/live' });
    answer.resume();
    return place;
  } catch (error) {
    const absent = error instanceof CliError && error.exitCode === EXIT.noServer;
    if (absent && !surroundings.env.POSTMASTER_URL?.trim() && hasOwnServer()) return undefined;
    throw error;
  }
};
