import type { Document, Failure } from '../client/shapes.js';
import type { Collected } from './collect-sources.js';
import type { Tracked } from './tracker.js';

/** `going on`: the server has it and works on it; `not sent`: the run ended before. */
export type Outcome = 'added' | 'changed' | 'unchanged' | 'failed' | 'going on' | 'not sent';

export interface Reported {
  source: string;
  outcome: Outcome;
  id: string | null;
  version: number | null;
  status: Document['status'] | null;
  paragraphs: number | null;
  failure: Failure | null;
  /** What was given up in it. */
  degraded: Failure[];
}

export interface Report {
  totals: Record<'added' | 'changed' | 'unchanged' | 'failed' | 'goingOn' | 'notSent', number>;
  documents: Reported[];
  /** Files in folders of kinds that are not read, by their endings. */
  leftOut: Record<string, number>;
  /** Message-IDs of mails that were there more than once: the first one was taken. */
  repeated: string[];
  seconds: number;
}

export const reportOf = (
  all: readonly Tracked[],
  {
    leftOut,
    repeated,
    seconds,
    followed,
  }: Pick<Collected, 'leftOut' | 'repeated'> & { seconds: number; followed: boolean },
): Report => {
  const documents = all.map((tracked) => reported(tracked, followed));
  const sum = (outcome: Outcome): number => documents.filter((document) => document.outcome === outcome).length;
  return {
    totals: {
      added: sum('added'),
      changed: sum('changed'),
      unchanged: sum('unchanged'),
      failed: sum('failed'),
      goingOn: sum('going on'),
      notSent: sum('not sent'),
    },
    documents,
    leftOut,
    repeated,
    seconds: Math.round(seconds * 10) / 10,
  };
};

const reported = (tracked: Tracked, followed: boolean): Reported => ({
  source: tracked.source.sourceId,
  outcome: outcomeOf(tracked, followed),
  id: tracked.accepted?.id ?? null,
  version: tracked.accepted?.version ?? null,
  status: tracked.document?.status ?? null,
  paragraphs: tracked.document?.progress.total ?? null,
  failure: tracked.failure ?? null,
  degraded: tracked.document?.degraded ?? [],
});

const outcomeOf = ({ accepted, failure, settled }: Tracked, followed: boolean): Outcome => {
  if (failure) return 'failed';
  if (!accepted) return 'not sent';
  if (followed && !settled) return 'going on';
  if (accepted.unchanged) return 'unchanged';
  return accepted.version > 1 ? 'changed' : 'added';
};
