import type { Finding } from '@postmaster/doctor';
import type { Paint } from './colours.js';
import { count } from './figures.js';
import { oneLine } from './printable.js';
import type { Screen } from './screen.js';
import { wrap } from './wrap.js';

const MARKS = { ok: '✓', warn: '!', fail: '✗', skipped: '-' } as const;
const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red', skipped: 'dim' } as const;
const NAME = 21; // the longest name, and a space

/** "✓ nats   NATS 2.9.10 at …", and under what is wrong its next step; wrapped to the terminal, if it is one. */
export const findingText = (
  { name, state, said, next }: Finding,
  { paint, columns = Infinity }: Pick<Screen, 'paint' | 'columns'>,
): string => {
  const indent = ' '.repeat(NAME + 2);
  const block = (text: string): string => wrap(oneLine(text), columns, indent).slice(indent.length);
  const colour = paint[COLOURS[state]];
  const head = `${colour(MARKS[state])} ${paint.bold(name.padEnd(NAME))}${state === 'skipped' ? paint.dim(block(said)) : block(said)}`;
  return next === null ? head : `${head}\n${indent}${colour(block(`→ ${next}`))}`;
};

/** "17 in order, 1 warning, 2 failed, 4 skipped". */
export const doctorSummary = (findings: readonly Finding[], paint: Paint): string => {
  const of = (state: Finding['state']): number => findings.filter((one) => one.state === state).length;
  const parts = [
    paint.green(`${of('ok')} in order`),
    ...(of('warn') > 0 ? [paint.yellow(count(of('warn'), 'warning'))] : []),
    ...(of('fail') > 0 ? [paint.red(`${of('fail')} failed`)] : []),
    ...(of('skipped') > 0 ? [paint.dim(`${of('skipped')} skipped`)] : []),
  ];
  return parts.join(', ');
};
