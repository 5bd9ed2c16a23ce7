/** What the thread with the database is started with. */
export interface WorkerStart {
  /** Folder of the data; in memory where absent. */
  folder?: string;
  /** A dumped data folder (.tar or .tar.gz) that a new database starts from. */
  template?: string;
}

/** To the thread; each gets one answer of its id, in the order sent. */
export type WorkerRequest =
  | { id: number; do: 'protocol'; bytes: Uint8Array }
  | { id: number; do: 'dump'; compression: Compression }
  | { id: number; do: 'close' };

export type Compression = 'gzip' | 'none';

/** From the thread; the first one, with id 0, says that the database is ready or why it is not. */
export type WorkerAnswer = { id: number; bytes?: Uint8Array } | { id: number; failure: string };
