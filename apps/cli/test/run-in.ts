import { PassThrough, Writable } from 'node:stream';
import { runCli } from '../src/run-cli.js';
import type { Surroundings } from '../src/surroundings.js';

export interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs the command line away from the terminal, in a home of its own. */
export const runIn = async (args: readonly string[], given: Partial<Surroundings> & { home: string }): Promise<Ran> => {
  const [stdout, stderr] = [gather(), gather()];
  const exitCode = await runCli(
    args,
    {
      env: {},
      cwd: given.home,
      stdin: new PassThrough(),
      stdout: stdout.output,
      stderr: stderr.output,
      now: () => performance.now(),
      signal: new AbortController().signal,
      ...given,
    },
    '1.2.3',
  );
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
};

const gather = (): { output: Writable; text: () => string } => {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write: (chunk: Buffer, _encoding, next) => {
      chunks.push(chunk);
      next();
    },
  });
  return { output, text: () => Buffer.concat(chunks).toString() };
};
