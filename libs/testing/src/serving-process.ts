import { type ChildProcess, spawn } from 'node:child_process';
import { endProcess } from './end-process.js';

/** A program of ours that runs and serves. */
export interface ServingProcess {
  readonly url: string;
  /** All that it printed and logged. */
  output(): string;
  /** With its exit code, or null for one that was killed. */
  readonly exited: Promise<number | null>;
  /** SIGTERM unless told; resolves with the exit code when it is gone. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ServingOptions {
  /** The program's file. */
  main: string;
  args?: readonly string[];
  cwd: string;
  /** Beside the path, which programs are found by. */
  env: Readonly<Record<string, string>>;
  startWithinMs: number;
}

/** It ended before it served. */
export class NotStarted extends Error {
  constructor(
    readonly code: number | null,
    readonly output: string,
  ) {
    super(`It ended with ${code}: ${output}`);
  }
}

/** Runs a program until it says where it runs. Throws NotStarted where it ends before; one that is late is killed. */
export const startServing = async (options: ServingOptions): Promise<ServingProcess> => {
  const { main, args = [], cwd, env, startWithinMs } = options;
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
  const url = await served(child, () => output, startWithinMs);
  return {
    ...{ url, exited },
    output: () => output,
    end: async (signal = 'SIGTERM') => {
      await endProcess(child, signal);
      return exited;
    },
  };
};

const served = (child: ChildProcess, output: () => string, withinMs: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const finish = (then: () => void): void => {
      clearInterval(look);
      clearTimeout(late);
      then();
    };
    const look = setInterval(() => {
      const url = /runs at (http:\S+)/.exec(output())?.[1];
      if (url) finish(() => resolve(url));
    }, 20);
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      finish(() => reject(new Error(`It did not start: ${output()}`)));
    }, withinMs);
    child.once('exit', (code) => finish(() => reject(new NotStarted(code, output()))));
  });
