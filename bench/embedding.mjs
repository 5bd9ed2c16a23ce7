// How much of a bare onnxruntime loop the bundled encoder keeps, and how long a question takes beside it. Both sides run
// the same real paragraphs on as many threads, in turns, so that a busy machine slows both.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { miniLM } from '@postmaster/models';
import { startBareLoop } from './encoder-bare-loop.mjs';
import { load, median, quantiles, sleep, timed } from './figures.mjs';
import { paragraphs, questions, SKIPPED } from './texts.mjs';

const ROUNDS = 5;
const TEXTS_PER_ROUND = 160;
const QUERIES = 120;
const ORIGINALS = 240;

export const embedding = async ({ threads }) => {
  if (SKIPPED) return SKIPPED;
  const texts = paragraphs(ORIGINALS).map(({ text }) => text);
  const asked = questions();
  const rssBefore = process.memoryUsage.rss();
  const [loadMs, encoder] = await timed(() => miniLM({ threads }));
  try {
    const windows = (await Promise.all(texts.map((text) => encoder.windows(text)))).flat();
    const rssLoaded = process.memoryUsage.rss();
    const rounds = await againstBareLoop(encoder, windows, threads);
    const perSecond = (side) => (TEXTS_PER_ROUND / median(rounds.map((round) => round[side]))) * 1_000;
    const [shortMs] = await timed(() => encoder.embed(asked.slice(0, 600), 'passage'));
    const besideBulk = await queries(encoder, windows, asked.slice(0, QUERIES));
    const [cutMs] = await timed(() => encoder.windows(texts.join('\n').slice(0, 100_000)));
    return {
      ...{ threads, loadMs },
      adapterPerSecond: perSecond('adapterMs'),
      barePerSecond: perSecond('bareMs'),
      ratio: median(rounds.map(({ adapterMs, bareMs }) => bareMs / adapterMs)),
      target: 0.9,
      shortTextsPerSecond: (600 / shortMs) * 1_000,
      ...besideBulk,
      cutOf100KbMs: cutMs,
      rssLoadedMb: (rssLoaded - rssBefore) / 1e6,
      rssAfterMb: (process.memoryUsage.rss() - rssBefore) / 1e6,
      load: load(),
    };
  } finally {
    await encoder.close();
  }
};

const againstBareLoop = async (encoder, windows, threads) => {
  const bare = await startBareLoop(threads);
  await encoder.embed(windows.slice(0, 40), 'passage');
  await bare.run(windows.slice(0, 40));
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const texts = Array.from({ length: TEXTS_PER_ROUND }, (_, i) => windows[(round * 53 + i) % windows.length]);
    const [before] = await timed(() => encoder.embed(texts, 'passage'));
    const [bareMs] = await timed(() => bare.run(texts));
    const [after] = await timed(() => encoder.embed(texts, 'passage'));
    rounds.push({ adapterMs: (before + after) / 2, bareMs });
  }
  await bare.close();
  return rounds;
};

/** How long questions take while nothing else is encoded, beside a bulk, and where the bulk pauses for them. */
const queries = async (encoder, windows, asked) => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const idle = await queryTimes(encoder, asked, 5, false);
  const stopBulk = startBulk(encoder, windows);
  delay.enable();
  const during = await queryTimes(encoder, asked, 40, false);
  const bulkPerSecond = await stopBulk();
  delay.disable();
  const stopHeldBulk = startBulk(encoder, windows);
  const held = await queryTimes(encoder, asked, 40, true);
  return {
    queryMs: { idle: quantiles(idle), duringBulk: quantiles(during), duringHeldBulk: quantiles(held) },
    bulkPerSecond: { besideQueries: bulkPerSecond, besideHeldQueries: await stopHeldBulk() },
    eventLoopP99Ms: delay.percentile(99) / 1e6,
  };
};

const queryTimes = async (encoder, asked, gapMs, held) => {
  const times = [];
  for (const question of asked) {
    await sleep(gapMs);
    const [ms] = await timed(async () => {
      const release = held ? encoder.hold() : () => undefined;
      await encoder.embed([question], 'query');
      release();
    });
    times.push(ms);
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
    const perSecond = (count / (performance.now() - start)) * 1_000;
    going = false;
    await feeds;
    return perSecond;
  };
};
