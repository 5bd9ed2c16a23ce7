import type { Consumer, Observers } from '@postmaster/contracts';

/** Brings events to the consumers of a process, each at least once, whatever stands behind it. */
export interface Delivery extends Observers {
  /** Before the start. */
  subscribe(consumer: Consumer): void;
  start(): void;
  /** Ends after the handlers in hand have ended. */
  stop(): Promise<void>;
}

export type DeliveryOutcome = 'done' | 'failed' | 'dead';
