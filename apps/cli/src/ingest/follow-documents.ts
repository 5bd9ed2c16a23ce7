import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/client.js';
import type { Failure } from '../client/shapes.js';
import { GONE, type Tracked, type Tracker } from './tracker.js';

export interface FollowOptions {
  signal: AbortSignal;
  /** True as long as documents may still be added to those pending. */
  handingOver(): boolean;
  onSettled(tracked: Tracked): void;
  /** Why the server waits with a document; undefined when it goes on. */
  onPaused(why: Failure | undefined): void;
  /** After every look. */
  onSeen(): void;
}

const PAGE = 100;
const SHORTEST_MS = 150;
const LONGEST_MS = 2_000;

/**
 * Looks at the pending documents until all are READY or FAILED: a page of 100 at a time, the pages in turn, more seldom
 * while nothing happens. Ends early when it is stopped.
 */
export const followDocuments = async (client: Client, tracker: Tracker, options: FollowOptions): Promise<void> => {
  let from = 0;
  let pause = SHORTEST_MS;
  while (!options.signal.aborted) {
    const pending = tracker.pending();
    if (pending.length === 0 && !options.handingOver()) return;
    if (from >= pending.length) from = 0;
    const page = pending.slice(from, from + PAGE);
    const settled = page.length > 0 ? await look(client, tracker, page, options) : 0;
    from += PAGE - settled;
    options.onSeen();
    pause = settled > 0 || page.length === 0 ? SHORTEST_MS : Math.min(LONGEST_MS, pause * 1.3);
    await sleep(pause, undefined, { signal: options.signal }).catch(() => {}); // stopped: the loop sees it
  }
};

/** Gives how many of the page are settled now. */
const look = async (
  client: Client,
  tracker: Tracker,
  page: readonly Tracked[],
  { onSettled, onPaused }: FollowOptions,
): Promise<number> => {
  const ids = [...new Set(page.flatMap(({ accepted }) => (accepted ? [accepted.id] : [])))];
  const { nodes } = await client.documents({ ids }, PAGE);
  const settled = nodes.flatMap((document) => tracker.see(document));
  const there = new Set(nodes.map(({ id }) => id));
  for (const tracked of page)
    if (tracked.accepted && !there.has(tracked.accepted.id)) {
      tracker.fail(tracked, GONE);
      settled.push(tracked);
    }
  settled.forEach(onSettled);
  onPaused(nodes.find(({ progress }) => progress.paused)?.progress.paused ?? undefined);
  return settled.length;
};
