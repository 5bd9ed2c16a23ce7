import type { Chunking } from '@postmaster/contracts';
import type { Client } from '../client/client.js';
import type { Failure } from '../client/shapes.js';
import { Stopped } from '../cli-error.js';
import type { Session } from '../session.js';
import { followDocuments } from './follow-documents.js';
import { handOver } from './hand-over.js';
import { showIngest } from './show-ingest.js';
import type { Source } from './source.js';
import { type Tracked, trackerOf } from './tracker.js';

export interface IngestOptions {
  collection?: string;
  metadata?: Record<string, unknown>;
  chunking?: Chunking;
  bulk: boolean;
  /** Follow the documents until nothing more happens to them. */
  wait: boolean;
  /** Seconds. */
  timeout?: number;
}

export interface Ended {
  all: readonly Tracked[];
  seconds: number;
  why: 'done' | 'stopped' | 'timeout';
}

/** Hands the sources over and follows them meanwhile. Ctrl-C and the timeout end it with what is known by then. */
export const ingest = async (
  { surroundings, screen }: Session,
  client: Client,
  sources: readonly Source[],
  { collection, metadata, chunking, bulk, wait, timeout }: IngestOptions,
): Promise<Ended> => {
  const began = surroundings.now();
  const tracker = trackerOf(sources);
  const show = showIngest(surroundings, screen, tracker.all);
  const late = new AbortController();
  const broken = new AbortController();
  const timer = timeout === undefined ? undefined : setTimeout(() => late.abort(), timeout * 1000);
  const signal = AbortSignal.any([surroundings.signal, late.signal, broken.signal]);
  let handing = true;
  const handed = handOver(client, tracker, {
    collection,
    metadata,
    chunking,
    bulk,
    follow: wait,
    signal,
    onSettled: show.settled,
  })
    .finally(() => (handing = false))
    .catch((error: unknown) => {
      broken.abort();
      throw error;
    });
  const followed = followDocuments(client, tracker, {
    signal,
    handingOver: () => handing,
    onSettled: show.settled,
    onPaused: (why: Failure | undefined) => show.paused(why),
    onSeen: show.progress,
  }).catch((error: unknown) => {
    broken.abort();
    if (!(error instanceof Stopped)) throw error;
  });
  try {
    await allOrFirstFailure([handed, followed]);
  } finally {
    clearTimeout(timer);
    show.end();
  }
  const why = surroundings.signal.aborted ? 'stopped' : late.signal.aborted ? 'timeout' : 'done';
  return { all: tracker.all, seconds: (surroundings.now() - began) / 1000, why };
};

/** Waits for all of them, so that none is left running, then throws the first failure. */
const allOrFirstFailure = async (acts: readonly Promise<void>[]): Promise<void> => {
  const results = await Promise.allSettled(acts);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};
