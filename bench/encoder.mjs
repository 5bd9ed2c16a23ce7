// Prints as JSON how much of a bare onnxruntime loop the bundled encoder keeps, and how long a query takes beside it.
// Both sides run the same real paragraphs on the same number of threads, in turns, so that a busy machine slows both.
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { miniLM } from '@postmaster/models';
import { startBareLoop } from './encoder-bare-loop.mjs';

const data = new URL('../../shared/data/xquad-en/', import.meta.url);
const ROUNDS = 5;
const TEXTS_PER_ROUND = 160;
const QUERIES = 120;

const read = async (name) =>
  (await readFile(new URL(name, data), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).text);

const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
const rounded = (value) => Math.round(value * 1000) / 1000;
const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Milliseconds of each of some queries, one after another, `gapMs` apart. */
const queryTimes = async (encoder, questions, gapMs, held) => {
  const times = [];
  for (const question of questions) {
    await new Promise((wake) => setTimeout(wake, gapMs));
    times.push(
      await timed(async () => {
        const release = held ? encoder.hold() : () => undefined;
        await encoder.embed([question], 'query');
        release();
      }),
    );
  }
  return times;
};

/** Keeps passages coming until it is stopped; resolves to how many were embedded a second. */
const startBulk = (encoder, texts) => {
  let going = true;
  let count = 0;
  const start = performance.now();
  const feed = async (from) => {
    for (let at = from; going; at += 16) {
      const batch = Array.from({ length: 16 }, (_, i) => texts[(at + i) % texts.length]);
      await encoder.embed(batch, 'passage');
      count += batch.length;
    }
  };
  const feeds = Promise.all([feed(0), feed(100), feed(200)]);
  return async () => {
    const perSecond = (count / (performance.now() - start)) * 1000;
    going = false;
    await feeds;
    return perSecond;
  };
};

const paragraphs = await read('paragraphs.jsonl').catch(() => null);
if (!paragraphs) {
  console.log(JSON.stringify({ bench: 'encoder', skipped: `no data at ${fileURLToPath(new URL('.', data))}` }));
  process.exit(0);
}
const questions = (await read('queries.jsonl')).slice(0, QUERIES);
const threads = availableParallelism();

const rssBefore = process.memoryUsage.rss();
let encoder;
const loadMs = await timed(async () => (encoder = await miniLM({ threads })));
const windows = (await Promise.all(paragraphs.map((text) => encoder.windows(text)))).flat();
const rssLoaded = process.memoryUsage.rss();
await encoder.embed(windows.slice(0, 40), 'passage');
const bare = await startBareLoop(threads);
await bare.run(windows.slice(0, 40));

const rounds = [];
for (let round = 0; round < ROUNDS; round++) {
  const texts = Array.from({ length: TEXTS_PER_ROUND }, (_, i) => windows[(round * 53 + i) % windows.length]);
  const adapterFirst = await timed(() => encoder.embed(texts, 'passage'));
  const bareMs = await timed(() => bare.run(texts));
  const adapterAfter = await timed(() => encoder.embed(texts, 'passage'));
  rounds.push({ adapterMs: (adapterFirst + adapterAfter) / 2, bareMs });
}
await bare.close();

const shorts = await read('queries.jsonl');
const shortMs = await timed(() => encoder.embed(shorts.slice(0, 600), 'passage'));

const delay = monitorEventLoopDelay({ resolution: 5 });
const idle = await queryTimes(encoder, questions, 5, false);
const stopBulk = startBulk(encoder, windows);
delay.enable();
const during = await queryTimes(encoder, questions, 40, false);
const bulkPerSecond = await stopBulk();
delay.disable();
const stopHeldBulk = startBulk(encoder, windows);
const held = await queryTimes(encoder, questions, 40, true);
const heldBulkPerSecond = await stopHeldBulk();
const longText = paragraphs.join('\n').slice(0, 100_000);
const cutMs = await timed(() => encoder.windows(longText));
const rssAfter = process.memoryUsage.rss();
await encoder.close();

const perSecond = (side) =>
  (TEXTS_PER_ROUND /
    quantile(
      rounds.map((round) => round[side]),
      0.5,
    )) *
  1000;
console.log(
  JSON.stringify(
    Object.fromEntries(
      Object.entries({
        threads,
        loadMs,
        adapterPerSecond: perSecond('adapterMs'),
        barePerSecond: perSecond('bareMs'),
        ratio: quantile(
          rounds.map(({ adapterMs, bareMs }) => bareMs / adapterMs),
          0.5,
        ),
        shortTextsPerSecond: (600 / shortMs) * 1000,
        queryP50Ms: quantile(idle, 0.5),
        queryP95Ms: quantile(idle, 0.95),
        queryP50MsDuringBulk: quantile(during, 0.5),
        queryP95MsDuringBulk: quantile(during, 0.95),
        queryP50MsDuringBulkHeld: quantile(held, 0.5),
        queryP95MsDuringBulkHeld: quantile(held, 0.95),
        bulkPerSecondBesideQueries: bulkPerSecond,
        bulkPerSecondBesideHeldQueries: heldBulkPerSecond,
        eventLoopP99Ms: delay.percentile(99) / 1e6,
        cutOf100KbMs: cutMs,
        rssLoadedMb: (rssLoaded - rssBefore) / 1e6,
        rssAfterMb: (rssAfter - rssBefore) / 1e6,
      }).map(([name, value]) => [name, rounded(value)]),
    ),
    null,
    2,
  ),
);
