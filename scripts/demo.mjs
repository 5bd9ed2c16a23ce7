import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * `npm run demo`: a server of its own in a temporary folder takes in docs/ (Markdown, a PDF and a DOCX), answers three
 * questions, and is gone again. Exit code 1 where a document fails or an answer isn't found. No step waits for ever.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SERVER = join(ROOT, 'apps/standalone/dist/main.js');
const CLI = new URL('../apps/cli/dist/index.js', import.meta.url);
const LIMITS = { start: 45, ingest: 90, ask: 20, stop: 10 }; // seconds

/** `from`: the document that holds the answer, by the end of its source. */
const QUESTIONS = [
  { question: 'When is a document SEARCHABLE?', from: 'docs/flow.md' },
  { question: 'How often must the clockwork of the lamp be wound?', from: 'greywater-lighthouse.pdf' },
  { question: 'Hvornår skal kontingentet betales?', from: 'vedtaegter-laerkesvinget.docx' },
];

class DemoFailed extends Error {}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => stop.abort());
const say = (text = '') => process.stdout.write(`${text}\n`);

const began = performance.now();
const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;

const demo = async (folder) => {
  if (!existsSync(SERVER) || !existsSync(CLI))
    throw new DemoFailed('It is not built yet. Run `npm install`; it builds everything.');
  const { runCli } = await import(CLI.href);
  const server = startServer(folder);
  try {
    say(`Starting a server in ${folder} …`);
    await server.started();
    const cli = cliIn(runCli, folder);
    await cli.show(['status'], LIMITS.start);
    say(`\n$ postmaster ingest docs   (${seconds()})`);
    const args = ['ingest', 'docs', '--timeout', String(LIMITS.ingest)];
    if ((await cli.show(args, LIMITS.ingest + 5)) !== 0) throw new DemoFailed('Not every document became ready.');
    for (const { question, from } of QUESTIONS) {
      say(`\n$ postmaster ask "${question}"   (${seconds()})`);
      showAnswer(await cli.value(['ask', question, '--json'], LIMITS.ask), from, await cli.sources());
    }
  } catch (error) {
    if (!stop.signal.aborted) process.stderr.write(server.log());
    throw error;
  } finally {
    await server.stop();
  }
};

/** A server of this checkout that knows nothing of the user's settings: neither environment nor .env. */
const startServer = (folder) => {
  const kept = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG'];
  const own = {
    HOME: folder,
    USERPROFILE: folder,
    POSTMASTER_DATA: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const env = {
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    ...own,
  };
  const logFile = join(folder, 'server.log');
  const output = openSync(logFile, 'a');
  // detached: Ctrl-C reaches this process only, which then ends the server in good order
  const child = spawn(process.execPath, [SERVER], {
    cwd: folder,
    env,
    stdio: ['ignore', output, output],
    detached: true,
  });
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  let up = false;
  const running = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  process.once('exit', () => running() && child.kill('SIGKILL'));
  return {
    /** Its last warnings and errors; all that it said where it did not come up. */
    log: () => {
      const lines = readFileSync(logFile, 'utf8').split('\n');
      const told = lines.filter((line) => !up || line.startsWith('{')).slice(-20);
      return told.map((line) => `${line}\n`).join('');
    },
    started: async () => {
      const note = join(folder, '.postmaster', 'server.json');
      for (let waited = 0; !existsSync(note); waited += 0.1) {
        if (!running()) throw new DemoFailed('The server ended while it started; its last words are above.');
        if (waited > LIMITS.start) throw new DemoFailed(`The server was not ready within ${LIMITS.start} s.`);
        await sleep(100, undefined, { signal: stop.signal });
      }
      up = true;
    },
    stop: async () => {
      if (!running()) return;
      child.kill('SIGTERM');
      const late = new AbortController();
      await Promise.race([ended, sleep(LIMITS.stop * 1000, undefined, { signal: late.signal }).catch(() => {})]);
      late.abort();
      if (running()) child.kill('SIGKILL');
      await ended;
    },
  };
};

/** The command line's own code, which finds the server by the note in `folder`. */
const cliIn = (runCli, folder) => {
  const run = (args, limit, stdout) =>
    runCli(
      args,
      {
        env: { NO_COLOR: process.env.NO_COLOR, TERM: process.env.TERM },
        home: folder,
        cwd: ROOT,
        stdin: process.stdin,
        stdout,
        stderr: process.stderr,
        now: () => performance.now(),
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(limit * 1000)]),
      },
      'demo',
    );
  const value = async (args, limit) => {
    let text = '';
    const gather = new Writable({ write: (chunk, _, next) => ((text += chunk), next()) });
    const exitCode = await run(args, limit, gather);
    if (exitCode !== 0) throw new DemoFailed(`\`postmaster ${args.join(' ')}\` ended with ${exitCode}.`);
    return JSON.parse(text);
  };
  return {
    show: (args, limit) => run(args, limit, process.stdout),
    value,
    /** Where each document comes from, by its id. */
    sources: async () => {
      const { documents } = await value(['documents', '-n', '100', '--json'], LIMITS.ask);
      return new Map(documents.map(({ id, sourceId }) => [id, sourceId]));
    },
  };
};

const showAnswer = ({ answer, found, citations }, from, sources) => {
  say(answer);
  for (const { marker, quote, paragraph } of citations) {
    const page = paragraph.page === null ? '' : `, page ${paragraph.page}`;
    say(`  [${marker}] ${paragraph.document?.title}${page}: “${(quote ?? '').replace(/\s+/g, ' ')}”`);
  }
  if (!found) throw new DemoFailed('No answer was found, though the documents hold it.');
  const cited = citations.map(({ paragraph }) => sources.get(paragraph.document?.id) ?? '');
  if (!cited.some((source) => source.endsWith(from)))
    throw new DemoFailed(`The answer does not cite ${from}, which holds it.`);
};

const folder = await mkdtemp(join(tmpdir(), 'postmaster-demo-'));
try {
  await demo(folder);
  say(`\nAll of it in ${seconds()}; the folder is removed again.`);
} catch (error) {
  if (stop.signal.aborted) say('\nStopped.');
  else if (error instanceof DemoFailed) process.stderr.write(`\nThe demo failed: ${error.message}\n`);
  else process.stderr.write(`\nThe demo failed unexpectedly: ${error?.stack ?? error}\n`);
  process.exitCode = stop.signal.aborted ? 130 : 1;
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
