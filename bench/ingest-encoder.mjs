// With the encoder the bottleneck (extractive facets): texts a second through the whole pipeline, from the first upload
// to READY, against the bare loop over the same texts on as many threads.
import { miniLM } from '@postmaster/models';
import { startBareLoop } from './encoder-bare-loop.mjs';
import { load, median, say, timed } from './figures.mjs';
import { allReady, indexedTexts, total, withFolder, withServer } from './server.mjs';
import { documents, paragraphs, RULE, SKIPPED } from './texts.mjs';

const PER_DOCUMENT = 25;

export const ingestEncoder = async ({ count = 720, rounds = 2, threads }) => {
  if (SKIPPED) return SKIPPED;
  const uploads = documents(paragraphs(count), PER_DOCUMENT);
  const bare = await startBareLoop(threads);
  const cutter = await miniLM({ threads: 1 });
  const windowsOf = async (texts) => (await Promise.all(texts.map((text) => cutter.windows(text)))).flat();
  const done = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const pipeline = await withFolder((folder) =>
        withServer(folder, { ENCODER_THREADS: String(threads) }, async (server) => {
          const from = performance.now();
          for (const document of uploads) await server.upload(document);
          const { at, documents: ready } = await allReady(server, uploads.length, 900_000);
          return { ms: at - from, paragraphs: total(ready), texts: await indexedTexts(server, ready) };
        }),
      );
      const windows = await windowsOf(pipeline.texts);
      const [bareMs] = await timed(() => bare.run(windows));
      const { ms, texts } = pipeline;
      done.push({ pipelineMs: ms, bareMs, texts: texts.length, paragraphs: pipeline.paragraphs, kept: bareMs / ms });
      say(`ingest-encoder ${round}: ${ms.toFixed(0)} ms against ${bareMs.toFixed(0)} ms`);
    }
  } finally {
    await bare.close();
    await cutter.close();
  }
  const last = done.at(-1);
  return {
    ...{
      paragraphs: last.paragraphs,
      texts: last.texts,
      documents: uploads.length,
      rule: RULE,
      encoderThreads: threads,
    },
    textsPerSecond: median(done.map(({ texts, pipelineMs }) => (texts / pipelineMs) * 1_000)),
    bareTextsPerSecond: median(done.map(({ texts, bareMs }) => (texts / bareMs) * 1_000)),
    kept: median(done.map(({ kept }) => kept)),
    target: 0.75,
    rounds: done,
    load: load(),
  };
};
