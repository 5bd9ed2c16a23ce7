// A folder of many small files through the command line: stopped in the middle, run again to its end, and run once more.
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, median, say, sleep } from './figures.mjs';
import { withFolder, withServer } from './server.mjs';
import { paragraphs, RULE, SKIPPED } from './texts.mjs';

const CLI = fileURLToPath(new URL('../apps/cli/bin/postmaster.js', import.meta.url));
const BROKEN_EVERY = 50;
const IN_A_FOLDER = 100;

export const volume = async ({ documents = 2_000, minutes = 15, threads }) => {
  if (SKIPPED) return SKIPPED;
  return withFolder(async (folder) => {
    const files = join(folder, 'files');
    await writeFiles(files, documents);
    const figures = await withServer(
      folder,
      { ENCODER_THREADS: String(threads) },
      async (server, { url, key, pid }) => {
        const env = {
          PATH: process.env.PATH,
          HOME: folder,
          POSTMASTER_URL: url,
          POSTMASTER_API_KEY: key,
          NO_COLOR: '1',
        };
        const run = (args, stopAt) => ingest({ args: [files, ...args], env, server, pid, stopAt });
        say(`  ${documents} files, stopped at half of them`);
        const stopped = await run([], Math.floor(documents / 2));
        say(`  ${stopped.documents} documents are there; again, for at most ${minutes} min`);
        const ended = await run(['--timeout', String(minutes * 60)]);
        say('  once more');
        const again = await run(['--json', '--no-wait']);
        return { stopped, again: ended, onceMore: { ...again, ...outcomes(again.stdout) } };
      },
    );
    for (const part of Object.values(figures)) delete part.stdout;
    return { files: documents, rule: `${RULE}; a file each, every ${BROKEN_EVERY}th empty or no DOCX`, ...figures };
  });
};

const writeFiles = async (folder, count) => {
  const texts = paragraphs(count);
  for (const [at, { title, text }] of texts.entries()) {
    const place = join(folder, String(Math.floor(at / IN_A_FOLDER)).padStart(4, '0'));
    if (at % IN_A_FOLDER === 0) await mkdir(place, { recursive: true });
    const name = String(at).padStart(6, '0');
    const bad = at % BROKEN_EVERY === BROKEN_EVERY - 1;
    if (!bad) await writeFile(join(place, `${name}.md`), `# ${title}\n\n${text}\n`);
    else if (at % (2 * BROKEN_EVERY) < BROKEN_EVERY) await writeFile(join(place, `${name}.md`), '');
    else await writeFile(join(place, `${name}.docx`), `PK\u0003\u0004 ${text}`);
  }
};

const COUNTS = `{ all: documents(first: 1) { totalCount } ready: documents(first: 1, filter: { status: [READY] }) { totalCount } }`;

/** One run of the command, looked at each second. `stopAt` documents are there: Ctrl-C. */
const ingest = async ({ args, env, server, pid, stopAt = Infinity }) => {
  const child = spawn(process.execPath, [CLI, 'ingest', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out = { stdout: '', estimates: [] };
  const began = performance.now();
  child.stdout.on('data', (bytes) => (out.stdout += bytes));
  child.stderr.on('data', (bytes) => {
    for (const [, left] of bytes.toString().matchAll(/· ([^·\n]*) left$/gm))
      out.estimates.push({ atMs: performance.now() - began, saidMs: secondsOf(left) * 1_000 });
  });
  const seen = { marks: [], unanswered: 0, cliMb: 0, serverMb: 0 };
  let ended = false;
  const exited = new Promise((resolve) => child.once('exit', resolve)).finally(() => (ended = true));
  while (!ended) {
    const now = await server.ask(COUNTS).catch(() => undefined);
    if (now) {
      const [documents, ready] = [now.all.totalCount, now.ready.totalCount];
      seen.marks.push({ atMs: performance.now() - began, documents, ready });
      if (documents >= stopAt) child.kill('SIGINT');
    } else seen.unanswered++;
    seen.cliMb = Math.max(seen.cliMb, await rssMb(child.pid));
    seen.serverMb = Math.max(seen.serverMb, await rssMb(pid));
    await Promise.race([sleep(1_000), exited]);
  }
  const ms = performance.now() - began;
  return {
    ...{ exitCode: await exited, seconds: ms / 1_000, ...accepting(seen.marks), load: load() },
    ...{
      looksUnanswered: seen.unanswered,
      cliPeakMb: seen.cliMb,
      serverPeakMb: seen.serverMb,
      timeLeft: believable(out.estimates, ms),
    },
    ...{ said: out.stdout.trim().split('\n').at(-1).slice(0, 200), stdout: out.stdout },
  };
};

/** Between the first look and the one at which the last document had come, and what was ready by then. */
const accepting = (marks) => {
  const most = marks.at(-1)?.documents ?? 0;
  const last = marks.find(({ documents }) => documents === most);
  const [first] = marks;
  const minutes = (last.atMs - first.atMs) / 60_000;
  return {
    documents: most,
    acceptedAMinute: minutes > 0 ? (most - first.documents) / minutes : null,
    readyMeanwhile: last.ready - first.ready,
    ready: marks.at(-1).ready,
  };
};

/** What was said to be left, over what was. */
const believable = (estimates, endMs) => {
  const ratios = estimates
    .filter(({ atMs }) => endMs - atMs > 10_000)
    .map(({ atMs, saidMs }) => saidMs / (endMs - atMs));
  if (ratios.length === 0) return null;
  return { said: ratios.length, median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
};

const secondsOf = (text) =>
  [...text.matchAll(/(\d+) (h|min|s)\b/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * { h: 3600, min: 60, s: 1 }[unit],
    0,
  );

const outcomes = (stdout) => {
  const { totals, documents } = JSON.parse(stdout);
  const failures = {};
  for (const { failure } of documents) if (failure) failures[failure.code] = (failures[failure.code] ?? 0) + 1;
  return { said: undefined, totals, failures };
};

/** 0 where the system does not tell. */
const rssMb = async (pid) => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};
