// How much of the bare libraries' throughput parsing keeps on the set's PDFs and DOCX files, in its processes with their
// limits; and how many cores two documents use. Both sides read the same files in turns, each in a process that is warm.
import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { childProcessParser } from '@postmaster/parsers';
import { load, median, say, timed } from './figures.mjs';

const FOLDER = fileURLToPath(new URL('../../shared/data/parsing', import.meta.url));
const ROUNDS = 5;
const LIMITS = { timeoutMs: 120_000, memoryMb: 1_024 };

const filesOf = (extension) => {
  try {
    const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => path.extname(name) === extension).map((name) => path.join(FOLDER, name));
  } catch {
    return [];
  }
};

export const parsing = async () => {
  const sets = { pdf: filesOf('.pdf'), docx: filesOf('.docx') };
  if (sets.pdf.length === 0) return { skipped: `there are no documents in ${path.relative('.', FOLDER)}` };
  const bare = await startBareLoop();
  const [one, two] = [childProcessParser({ poolSize: 1 }), childProcessParser({ poolSize: 2 })];
  try {
    const result = {};
    for (const [format, files] of Object.entries(sets)) {
      const readable = await readByBoth(bare, one, files);
      result[format] = { files: readable.length, ofThem: files.length, ...(await compared(bare, one, two, readable)) };
      say(`parsing: ${format} keeps ${result[format].kept.toFixed(2)} of the bare library's throughput`);
    }
    return { ...result, target: { kept: 0.9 }, load: load() };
  } finally {
    bare.close();
    await Promise.all([one.close(), two.close()]);
  }
};

const parse = (parser, file) => parser.parse({ path: file, name: path.basename(file) }, LIMITS);

/** What either refuses (a scan, an empty one) says nothing of throughput. It warms both up too. */
const readByBoth = async (bare, parser, files) => {
  const readable = [];
  for (const file of files) {
    const byBare = await bare.read(file);
    const byUs = await parse(parser, file).then(
      () => true,
      () => false,
    );
    if (byBare && byUs) readable.push(file);
  }
  return readable;
};

const compared = async (bare, one, two, files) => {
  const each = async (read) => {
    for (const file of files) await read(file);
  };
  const atOnce = () => Promise.all([...files, ...files].map((file) => parse(two, file)));
  await atOnce();
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [before] = await timed(() => each((file) => parse(one, file)));
    const [bareMs] = await timed(() => each((file) => bare.read(file)));
    const [after] = await timed(() => each((file) => parse(one, file)));
    const [twiceMs] = await timed(atOnce);
    rounds.push({ ms: (before + after) / 2, bareMs, twiceMs });
  }
  const medianOf = (side) => median(rounds.map((round) => round[side]));
  return {
    perSecond: (files.length / medianOf('ms')) * 1_000,
    barePerSecond: (files.length / medianOf('bareMs')) * 1_000,
    kept: median(rounds.map(({ ms, bareMs }) => bareMs / ms)),
    timesAsManyByTwo: median(rounds.map(({ ms, twiceMs }) => (2 * ms) / twiceMs)),
  };
};

const startBareLoop = async () => {
  const child = fork(fileURLToPath(new URL('parsing-bare-loop.mjs', import.meta.url)));
  const next = () => new Promise((resolve) => child.once('message', resolve));
  await next();
  return {
    read: async (file) => {
      child.send(file);
      return (await next()).read;
    },
    close: () => child.disconnect(),
  };
};
