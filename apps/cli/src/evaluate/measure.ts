import { type EvaluationSet, type Measured, type MeasureOptions, measureSet } from '@postmaster/evaluation';
import type { ServerPlace } from '../client/find-server.js';
import type { Session } from '../session.js';
import { liveLine } from '../terminal/live-line.js';
import { progressLine } from '../terminal/progress-bar.js';
import { evaluationServer } from './evaluation-server.js';

/** Filling takes about as long as asking. */
const HALF = 0.5;

/** Measures a set on a server, and shows how far it is. */
export const measure = async (
  { surroundings: { stderr, now, signal }, screen: { paint } }: Session,
  place: ServerPlace,
  set: EvaluationSet,
  options: Omit<MeasureOptions, 'onProgress'>,
): Promise<Measured> => {
  const line = liveLine(stderr);
  const began = now();
  const onProgress = (phase: 'paragraphs' | 'questions', done: number, of: number): void => {
    const fraction = (phase === 'questions' ? HALF : 0) + (HALF * done) / of;
    const secondsLeft = (((now() - began) / 1000) * (1 - fraction)) / fraction;
    line.show(progressLine({ fraction, facts: `${done}/${of} ${phase}`, secondsLeft }, stderr.columns ?? 80, paint));
  };
  try {
    return await measureSet(evaluationServer(place, signal))(set, { ...options, onProgress });
  } finally {
    line.clear();
  }
};
