import { duration } from './figures.js';
import type { Paint } from './colours.js';
import { fit, widthOf } from './width.js';

export interface Progress {
  /** 0…1 */
  fraction: number;
  /** "12/30 documents · 230 paragraphs" */
  facts: string;
  /** Paragraphs a second; undefined until there is something to go by. */
  rate?: number;
  secondsLeft?: number;
}

const BAR = 24;

/** One line of at most `columns`: bar, share, facts, rate and time left. */
export const progressLine = (
  { fraction, facts, rate, secondsLeft }: Progress,
  columns: number,
  paint: Paint,
): string => {
  const share = Math.min(1, Math.max(0, fraction));
  const full = Math.round(share * BAR);
  const texts = [
    `${String(Math.floor(share * 100)).padStart(3)} %`,
    facts,
    ...(rate === undefined ? [] : [`${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`]),
    ...(secondsLeft === undefined ? [] : [`${duration(secondsLeft)} left`]),
  ].join(' · ');
  const room = columns - BAR - 2;
  if (room < widthOf('100 %')) return fit(texts, columns);
  return `${paint.green('█'.repeat(full))}${paint.dim('░'.repeat(BAR - full))} ${fit(texts, room)}`;
};
