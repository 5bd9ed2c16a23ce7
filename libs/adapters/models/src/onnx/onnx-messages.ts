import type { CrossEncoderProfile } from '../rerankers/cross-encoder-profile.js';
import type { EncoderProfile } from '../encoders/encoder-profile.js';
import type { ThreadControl } from './thread-control.js';

/** What a thread is asked for. A passage waits while a hold lasts. */
export type Task =
  | { kind: 'query' | 'passage' | 'windows'; text: string }
  | { kind: 'pair'; question: string; text: string };

export type Reply =
  | { kind: 'vector'; vector: ArrayBuffer }
  | { kind: 'windows'; pieces: string[] }
  | { kind: 'score'; score: number }
  | { kind: 'too-long'; tokens: number }
  | { kind: 'failed'; why: string };

/** 'wake' only brings it to see that it was stopped. */
export type ToThread = Task | 'wake';

/** Once loaded a thread says 'ready'; then it answers its tasks in the order in which they came. */
export type FromThread = 'ready' | Reply;

/** Which model a thread loads: an encoder answers queries, passages and windows, a cross-encoder pairs. */
export type ModelSpec =
  | { kind: 'encoder'; profile: EncoderProfile }
  | { kind: 'cross-encoder'; profile: CrossEncoderProfile };

export interface ThreadData {
  control: ThreadControl;
  /** Whether its work is bulk, which yields to everything else. */
  bulk: boolean;
  model: ModelSpec;
}
