import type { Accepted } from '../client/client.js';
import type { Document, Failure } from '../client/shapes.js';
import type { Source } from './source.js';

export interface Tracked {
  source: Source;
  accepted?: Accepted;
  /** As last seen. */
  document?: Document;
  /** Of the handing over, or the document's own. */
  failure?: Failure;
  /** Nothing more will be seen of it here. */
  settled: boolean;
}

/** What is known of the sources of one run. */
export interface Tracker {
  readonly all: readonly Tracked[];
  /** Handed over and not settled. */
  pending(): Tracked[];
  accept(tracked: Tracked, accepted: Accepted, follow: boolean): void;
  see(document: Document): Tracked[];
  fail(tracked: Tracked, failure: Failure): void;
}

export const GONE: Failure = {
  code: 'NOT_FOUND',
  message: 'The document was deleted meanwhile.',
  next: 'Ingest it again if it is to be there.',
};

export const trackerOf = (sources: readonly Source[]): Tracker => {
  const all: Tracked[] = sources.map((source) => ({ source, settled: false }));
  const pending = (): Tracked[] => all.filter(({ accepted, settled }) => accepted && !settled);
  return {
    all,
    pending,
    accept: (tracked, accepted, follow) => {
      tracked.accepted = accepted;
      tracked.settled = !follow;
    },
    see: (document) => {
      const seen = pending().filter(({ accepted }) => accepted?.id === document.id);
      for (const tracked of seen) {
        tracked.document = document;
        tracked.failure = document.failure ?? undefined;
        tracked.settled = document.status === 'READY' || document.status === 'FAILED' || document.status === 'DELETED';
        if (document.status === 'DELETED') tracked.failure = GONE;
      }
      return seen.filter(({ settled }) => settled);
    },
    fail: (tracked, failure) => {
      tracked.failure = failure;
      tracked.settled = true;
    },
  };
};
