/** What a thread is asked for. A passage waits while a hold lasts. */
export type Task = { kind: 'query' | 'passage' | 'windows'; text: string };

export type Reply =
  | { kind: 'vector'; vector: ArrayBuffer }
  | { kind: 'windows'; pieces: string[] }
  | { kind: 'too-long'; tokens: number }
  | { kind: 'failed'; why: string };

/** Once loaded a thread says 'ready'; then it answers its tasks in the order in which they came. */
export type FromThread = 'ready' | Reply;

export interface ThreadData {
  /** `hold[0]` is 1 while passages are to pause. */
  hold: Int32Array<SharedArrayBuffer>;
  /** Whether its work is bulk, which yields to everything else. */
  bulk: boolean;
}
