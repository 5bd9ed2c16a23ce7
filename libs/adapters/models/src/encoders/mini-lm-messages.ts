import type { ThreadControl } from './thread-control.js';

/** What a thread is asked for. A passage waits while a hold lasts. */
export type Task = { kind: 'query' | 'passage' | 'windows'; text: string };

export type Reply =
  | { kind: 'vector'; vector: ArrayBuffer }
  | { kind: 'windows'; pieces: string[] }
  | { kind: 'too-long'; tokens: number }
  | { kind: 'failed'; why: string };

/** 'wake' only brings it to see that it was stopped. */
export type ToThread = Task | 'wake';

/** Once loaded a thread says 'ready'; then it answers its tasks in the order in which they came. */
export type FromThread = 'ready' | Reply;

export interface ThreadData {
  control: ThreadControl;
  /** Whether its work is bulk, which yields to everything else. */
  bulk: boolean;
}
