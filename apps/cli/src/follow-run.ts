import { setTimeout as sleep } from 'node:timers/promises';
import { Stopped } from './cli-error.js';
import type { Failure } from './client/shapes.js';
import type { Session } from './session.js';
import { paintFor } from './terminal/colours.js';
import { liveLine } from './terminal/live-line.js';
import { oneLine } from './terminal/printable.js';
import { type Progress, progressLine } from './terminal/progress-bar.js';

export interface Followed {
  id: string;
  /** Why it waits, while it does. */
  fault?: Failure | null;
}

export interface FollowRun<T> {
  look: (id: string) => Promise<T>;
  ended: (run: T) => boolean;
  /** How far it is, on a bar; rate and time left are reckoned here. */
  progress: (run: T) => Pick<Progress, 'fraction' | 'facts'>;
}

const LOOK_EVERY_MS = 500;
const LINE_EVERY_MS = 10_000;

/**
 * Looks at a run of the server until it has ended, with a bar on a terminal and a line every ten seconds elsewhere. A stop
 * leaves the run to the server.
 */
export const followRun = async <T extends Followed>(
  { surroundings, screen }: Session,
  begun: T,
  { look, ended, progress }: FollowRun<T>,
): Promise<T> => {
  const { signal, stderr, env, now } = surroundings;
  const line = liveLine(stderr);
  const paint = paintFor(stderr, env);
  const start = { at: now(), fraction: progress(begun).fraction };
  let [run, lastLine, waits] = [begun, start.at, ''];
  const show = (): void => {
    const shown = progress(run);
    const seconds = (now() - start.at) / 1000;
    const speed = seconds >= 2 ? (shown.fraction - start.fraction) / seconds : 0;
    const secondsLeft = speed > 0 ? (1 - shown.fraction) / speed : undefined;
    const why = run.fault ? `${run.fault.code}: ${oneLine(run.fault.message)} → ${oneLine(run.fault.next)}` : '';
    if (why !== waits && !screen.json) line.above(why ? `${paint.yellow('waiting')}  ${why}` : 'The work goes on.');
    waits = why;
    if (stderr.isTTY) line.show(progressLine({ ...shown, secondsLeft }, (stderr.columns ?? 80) - 1, paint));
    else if (!screen.json && now() - lastLine >= LINE_EVERY_MS) {
      lastLine = now();
      line.above(`… ${shown.facts}`);
    }
  };
  try {
    while (!ended(run)) {
      show();
      await sleep(LOOK_EVERY_MS, undefined, { signal });
      run = await look(run.id);
    }
    return run;
  } catch (error) {
    throw signal.aborted ? new Stopped('The server goes on with it; ask again to follow it.') : error;
  } finally {
    line.clear();
  }
};
