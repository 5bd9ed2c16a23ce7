// With the model the bottleneck by 1.5 ×: how much of the time that ⌈paragraphs / concurrency⌉ × latency allows is kept,
// until the last paragraph has its facets. What is told of documents as a whole (metadata, summaries) takes calls of its
// own, which the formula does not count: `keptToLastReply` is until the last of those that came before all was ready.
// Measured twice: 1.5 × as slow as all else together, which is the same ingest with a model that takes no time, and 1.5 ×
// as slow as the encoder by itself, where all else has what the encoder leaves of the cores.
import { miniLM } from '@postmaster/models';
import { standInFacets, startModelServer } from '@postmaster/testing';
import { load, median, say, sleep, timed } from './figures.mjs';
import { allReady, total, withFolder, withServer } from './server.mjs';
import { documents, paragraphs, RULE, SKIPPED } from './texts.mjs';
import { ofParagraphs, watchModel } from './watch-model.mjs';

const BOTTLENECK = 1.5;
const PER_DOCUMENT = 25;

/** Paragraphs a second with all their facets, by the encoder alone. */
const encoderRate = async (texts, threads) => {
  const encoder = await miniLM({ threads });
  const all = texts.flatMap(({ title, text }) => {
    const facets = standInFacets({ title, paragraph: text });
    return [text, ...facets.simple_questions, ...facets.complex_questions, facets.context, facets.scope];
  });
  const windows = (await Promise.all(all.map((text) => encoder.windows(text)))).flat();
  await encoder.embed(windows.slice(0, 40), 'passage');
  const rates = [];
  for (let i = 0; i < 3; i++) {
    const [ms] = await timed(() => encoder.embed(windows.slice(0, 1_000), 'passage'));
    rates.push(((texts.length * 1_000) / ms) * (Math.min(1_000, windows.length) / windows.length));
  }
  await encoder.close();
  return median(rates);
};

export const ingestModel = async ({ count = 400, concurrency = 4, threads }) => {
  if (SKIPPED) return SKIPPED;
  const texts = paragraphs(count);
  const latencyFor = (rate) => Math.round((BOTTLENECK * concurrency * 1_000) / rate);
  const measure = (latencyMs) => ingested(texts, { latencyMs, concurrency, threads });
  const alone = await encoderRate(texts.slice(0, 120), threads);
  const free = await measure(0);
  const rest = (free.paragraphs * 1_000) / free.toReadyMs;
  say(
    `ingest-model: ${rest.toFixed(1)} paragraphs/s with a model of no latency, ${alone.toFixed(1)} by the encoder alone`,
  );
  return {
    rule: RULE,
    perSecond: { withoutLatency: rest, encoderAlone: alone },
    besideAllElse: await measure(latencyFor(rest)),
    besideTheEncoder: await measure(latencyFor(alone)),
    target: 0.9,
    load: load(),
  };
};

/** An ingest from the first call to the last reply about a paragraph, to the last of all, and to when all is ready, beside its ideal. */
const ingested = async (texts, { latencyMs, concurrency, threads }) => {
  const model = await startModelServer({ latencyMs });
  const env = {
    ...{ LLM_PROVIDER: 'openai', LLM_URL: `${model.url}/v1`, LLM_MODEL: 'stand-in' },
    ...{ LLM_CONCURRENCY: String(concurrency), ENCODER_THREADS: String(threads) },
  };
  try {
    return await withFolder((folder) =>
      withServer(folder, env, async (server) => {
        while (model.calls.length === 0) await sleep(50); // the start tries the model once
        await sleep(latencyMs + 200);
        model.forget();
        const seen = watchModel(model);
        const uploads = documents(texts, PER_DOCUMENT);
        for (const document of uploads) await server.upload(document);
        const { at: readyAt, documents: ready } = await allReady(server, uploads.length, 900_000);
        const { firstCall, lastReply, lastOfParagraphs } = seen.end();
        const count = total(ready);
        const idealMs = Math.ceil(count / concurrency) * latencyMs;
        return {
          ...{ paragraphs: count, documents: uploads.length, latencyMs, concurrency, encoderThreads: threads, idealMs },
          ...{ toFacetsMs: lastOfParagraphs - firstCall, toLastReplyMs: lastReply - firstCall },
          ...{ toReadyMs: readyAt - firstCall, kept: idealMs / (lastOfParagraphs - firstCall) },
          ...{ keptToLastReply: idealMs / (lastReply - firstCall), keptToReady: idealMs / (readyAt - firstCall) },
          ...{ calls: model.calls.length, callsOfParagraphs: ofParagraphs(model).length, peak: model.peak },
        };
      }),
    );
  } finally {
    await model.close();
  }
};
