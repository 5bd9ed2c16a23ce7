// With the model the bottleneck by 1.5 ×: how much of the time that ⌈paragraphs / concurrency⌉ × latency allows is kept.
import { miniLM } from '@postmaster/models';
import { standInFacets, startModelServer } from '@postmaster/testing';
import { load, median, say, sleep, timed } from './figures.mjs';
import { allReady, total, withFolder, withServer } from './server.mjs';
import { documents, paragraphs, RULE, SKIPPED } from './texts.mjs';
import { watchModel } from './watch-model.mjs';

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
  const rate = await encoderRate(texts.slice(0, 120), threads);
  const latencyMs = Math.round((BOTTLENECK * concurrency * 1_000) / rate);
  say(`ingest-model: the encoder alone does ${rate.toFixed(1)} paragraphs/s; latency ${latencyMs} ms × ${concurrency}`);
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
        const { firstCall, lastReply } = seen.end();
        const count = total(ready);
        const idealMs = Math.ceil(count / concurrency) * latencyMs;
        return {
          paragraphs: count,
          documents: uploads.length,
          rule: RULE,
          ...{ latencyMs, concurrency, encoderThreads: threads },
          bottleneck: `the encoder alone did ${rate.toFixed(1)} paragraphs with facets a second just before; the model gives ${((concurrency * 1_000) / latencyMs).toFixed(1)}`,
          idealMs,
          toLastReplyMs: lastReply - firstCall,
          toReadyMs: readyAt - firstCall,
          kept: idealMs / (lastReply - firstCall),
          keptToReady: idealMs / (readyAt - firstCall),
          target: 0.9,
          calls: model.calls.length,
          peak: model.peak,
          load: load(),
        };
      }),
    );
  } finally {
    await model.close();
  }
};
