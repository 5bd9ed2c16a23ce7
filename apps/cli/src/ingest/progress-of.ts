import type { Progress } from '../terminal/progress-bar.js';
import type { Tracked } from './tracker.js';

/** Handing over is this much of a document's way; its paragraphs are the rest. */
const HANDED_OVER = 0.05;
const WINDOW_MS = 20_000;

const weightOf = ({ source }: Tracked, perUrl: number): number =>
  Math.max(1, source.kind === 'file' ? source.bytes : perUrl);

const fractionOf = ({ settled, accepted, document }: Tracked): number => {
  if (settled) return 1;
  if (!accepted) return 0;
  const { total = 0, ready = 0 } = document?.progress ?? {};
  return HANDED_OVER + (1 - HANDED_OVER) * (total === 0 ? 0 : ready / total);
};

/**
 * How far a run is, by the sizes of its sources; rate and time left go by the last 20 seconds. Called again and again,
 * it remembers what it needs.
 */
export const progressOf = (all: readonly Tracked[]): ((now: number) => Progress) => {
  const files = all.flatMap(({ source }) => (source.kind === 'file' ? [source.bytes] : []));
  const perUrl = files.length > 0 ? files.reduce((sum, bytes) => sum + bytes, 0) / files.length : 1;
  const whole = all.reduce((sum, tracked) => sum + weightOf(tracked, perUrl), 0);
  const marks: { at: number; fraction: number; paragraphs: number }[] = [];
  return (now) => {
    const done = all.reduce((sum, tracked) => sum + weightOf(tracked, perUrl) * fractionOf(tracked), 0);
    const fraction = whole === 0 ? 1 : done / whole;
    const settled = all.filter((tracked) => tracked.settled).length;
    const failed = all.filter((tracked) => tracked.failure).length;
    const paragraphs = all.reduce((sum, { document }) => sum + (document?.progress.ready ?? 0), 0);
    const total = all.reduce((sum, { document }) => sum + (document?.progress.total ?? 0), 0);
    marks.push({ at: now, fraction, paragraphs });
    while (marks.length > 2 && now - (marks[1]?.at ?? now) > WINDOW_MS) marks.shift();
    const first = marks[0] ?? { at: now, fraction, paragraphs };
    const seconds = (now - first.at) / 1000;
    const speed = seconds >= 1 ? (fraction - first.fraction) / seconds : 0;
    return {
      fraction,
      facts: `${settled}/${all.length} documents${failed > 0 ? `, ${failed} failed` : ''} · ${paragraphs}/${total} paragraphs`,
      ...(seconds >= 1 && { rate: (paragraphs - first.paragraphs) / seconds }),
      ...(speed > 0 && { secondsLeft: (1 - fraction) / speed }),
    };
  };
};
