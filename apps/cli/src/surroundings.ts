import type { Readable, Writable } from 'node:stream';

export type Output = Writable & { isTTY?: boolean; columns?: number };

/** All that the command line knows of the world it runs in, but for the file system. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  home: string;
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  /** Milliseconds that never go back. */
  now(): number;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}
