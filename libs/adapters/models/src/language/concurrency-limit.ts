export interface AnsweredCall {
  /** The limit's when it began. */
  epoch: number;
  /** As many ran as might. */
  full: boolean;
  /** How long it took, where that is comparable to others'. */
  ms?: number;
}

/** How many calls may run at once, learnt from what comes of them. */
export interface ConcurrencyLimit {
  /** A whole number from 1. */
  readonly now: number;
  /** Which cut the present limit follows; a call is told of with the one that held when it began. */
  readonly epoch: number;
  /** A call was answered. */
  answered(call: AnsweredCall): void;
  /** The server would not take a call, or did not answer in time. */
  refused(epoch: number): void;
}

const FIRST = 4;
/** What is left of the limit after a refusal. */
const KEPT = 0.9;
/** CUBIC's constant, in calls per cubic round: it makes refusals rare, for each is a call in vain. */
const SCALE = 0.03;
/** A round has as many calls as may run, and no fewer than this, so that one long reply is no queue. */
const LEAST_ROUND = 16;
/** The same for CUBIC's: a refusal in so few calls would be too many. */
const LEAST_PROBED = 32;
/** It grows no more than this in a round, so that a queue is seen before it is long. */
const STEP = 1.1;
/** So much longer than at best is taken for a queue at the server; cut back to where a short one keeps it busy. */
const QUEUED = 1.5;
const KEPT_BUSY = 1.25;
/** After a cut for a queue the times should have fallen below this share; else the calls themselves have become longer. */
const FELL = 0.92;

/**
 * Finds a server's limit without being told. Doubles each round until the first refusal or queue, then follows CUBIC (RFC
 * 9438; Ha, Rhee and Xu 2008): back to a little below, fast up to just under where it was refused, long there, and slowly
 * beyond. Time is counted in rounds of calls, so that slow and fast models are probed alike. A server that queues and
 * refuses nothing shows in the times, as in TCP Vegas (Brakmo and Peterson 1995): the limit is then what it works on at
 * once, and a quarter to a half more.
 */
export const concurrencyLimit = (first = FIRST): ConcurrencyLimit => {
  let limit = first;
  let epoch = 0;
  /** Just under the last refusal; none while it doubles. */
  let ceiling: number | undefined;
  let cutTo = first;
  let rounds = 0;
  let best = Infinity;
  let queuedMs: number | undefined;
  let round = { from: first, calls: 0, full: 0, timed: 0, ms: 0 };

  const cut = (to: number, under: number): void => {
    limit = Math.max(1, to);
    ceiling = Math.max(limit, under);
    cutTo = limit;
    rounds = 0;
    epoch++;
    round = { from: limit, calls: 0, full: 0, timed: 0, ms: 0 };
  };

  /** Cuts back where the times of a round show a queue. */
  const sawQueue = (mean: number): boolean => {
    best = Math.min(best, mean);
    const isQueue = mean > QUEUED * best;
    const isLonger = isQueue && queuedMs !== undefined && mean > FELL * queuedMs;
    queuedMs = isQueue && !isLonger ? mean : undefined;
    if (isLonger) best = mean;
    else if (isQueue) {
      const busy = (KEPT_BUSY * limit * best) / mean;
      cut(busy, busy);
    }
    return isQueue;
  };

  const endRound = (): void => {
    const { calls, full, timed, ms } = round;
    round = { from: limit, calls: 0, full: 0, timed: 0, ms: 0 };
    if (2 * timed >= calls && sawQueue(ms / timed)) return;
    if (ceiling !== undefined || 2 * full < calls) return;
    limit *= 2;
    epoch++; // the next round has only calls that ran under it
  };

  return {
    get now() {
      return Math.floor(limit);
    },
    get epoch() {
      return epoch;
    },
    answered: ({ epoch: begun, full, ms }) => {
      if (begun !== epoch) return; // under another limit
      if (full && ceiling !== undefined) {
        rounds += 1 / Math.max(limit, LEAST_PROBED);
        const cubic = ceiling + SCALE * (rounds - Math.cbrt((ceiling - cutTo) / SCALE)) ** 3;
        limit = Math.max(limit, Math.min(cubic, round.from * STEP + 1));
      }
      round.calls++;
      round.full += full ? 1 : 0;
      if (ms !== undefined) Object.assign(round, { timed: round.timed + 1, ms: round.ms + ms });
      if (round.calls >= Math.max(Math.floor(limit), LEAST_ROUND)) endRound();
    },
    refused: (begun) => {
      if (begun !== epoch) return; // one cut for all that were sent before it
      if (ceiling === undefined) cut(limit / 2, limit / 2);
      else cut(limit * KEPT, Math.floor(limit) - 1);
    },
  };
};
