import type { Failure } from '../client/shapes.js';
import type { Surroundings } from '../surroundings.js';
import { paintFor } from '../terminal/colours.js';
import { count, duration } from '../terminal/figures.js';
import { liveLine } from '../terminal/live-line.js';
import { oneLine } from '../terminal/printable.js';
import { progressLine } from '../terminal/progress-bar.js';
import type { Screen } from '../terminal/screen.js';
import { progressOf } from './progress-of.js';
import { shownSource } from './report-text.js';
import type { Tracked } from './tracker.js';

export interface ShowIngest {
  settled(tracked: Tracked): void;
  paused(why: Failure | undefined): void;
  progress(): void;
  end(): void;
}

const LINE_EVERY_MS = 10_000;
/** What is told together: with thousands of sources, each count takes a while. */
const TICK_MS = 100;
const SILENT: ShowIngest = { settled: () => {}, paused: () => {}, progress: () => {}, end: () => {} };

/** On stderr: a bar in a terminal; elsewhere a line for each document, and one every ten seconds. With --json only a bar. */
export const showIngest = (
  { stderr, env, cwd, now }: Surroundings,
  { json }: Screen,
  all: readonly Tracked[],
): ShowIngest => {
  if (json && !stderr.isTTY) return SILENT;
  const paint = paintFor(stderr, env);
  const line = liveLine(stderr);
  const progress = progressOf(all);
  let lastLine = now();
  let lastTick = -Infinity;
  let waits: string | undefined;
  const tick = (): void => {
    const at = now();
    if (at - lastTick < TICK_MS) return;
    lastTick = at;
    const facts = progress(at);
    if (stderr.isTTY) line.show(progressLine(facts, (stderr.columns ?? 80) - 1, paint));
    else if (at - lastLine >= LINE_EVERY_MS && facts.fraction < 1) {
      lastLine = at;
      const left = facts.secondsLeft === undefined ? '' : ` · ${duration(facts.secondsLeft)} left`;
      line.above(`… ${facts.facts}${left}`);
    }
  };
  return {
    settled: (tracked) => {
      if (!stderr.isTTY) line.above(settledLine(tracked, cwd)); // a terminal has the bar, and the report at the end
      tick();
    },
    paused: (why) => {
      const text = why && `${paint.yellow('waiting')}  ${why.code}: ${oneLine(why.message)} → ${oneLine(why.next)}`;
      if (text !== waits) line.above(text ?? 'The work goes on.');
      waits = text;
    },
    progress: tick,
    end: () => line.clear(),
  };
};

const settledLine = ({ source, accepted, document, failure }: Tracked, cwd: string): string => {
  const shown = shownSource(source.sourceId, cwd);
  if (failure) return `failed     ${shown}  ${failure.code}: ${oneLine(failure.message)}`;
  const word = accepted?.unchanged ? 'unchanged ' : document ? 'ready     ' : 'taken in  ';
  return `${word} ${shown}${document ? `  ${count(document.progress.total, 'paragraph')}` : ''}`;
};
