import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { z } from 'zod';
import { EXIT } from './exit-codes.js';
import { runCli } from './run-cli.js';

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(EXIT.stopped); // the second time at once
    stop.abort();
  });
// a reader that has seen enough, such as `head`, is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  throw error;
});

process.exitCode = await runCli(
  process.argv.slice(2),
  {
    env: process.env,
    home: homedir(),
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: () => performance.now(),
    signal: stop.signal,
  },
  version,
);

// a server that hangs may hold a connection open; what is said is said, and nobody waits for that
process.stdout.write('', () => setTimeout(() => process.exit(), 1_000).unref());
