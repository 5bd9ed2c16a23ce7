// Search on many paragraphs: the use case against its bare parts on the same index, in this process; then through the
// front door of a real server, idle and while it takes in documents.
import { randomBytes } from 'node:crypto';
import { folderBlobs } from '@postmaster/blobs';
import { localRequests } from '@postmaster/bus';
import { identitySeal, LEGS, newId } from '@postmaster/contracts';
import { databaseOf } from '@postmaster/durable';
import { EMBEDDING_SCHEMA, embeddingService } from '@postmaster/embedding';
import { INGESTION_SCHEMA, ingestionService } from '@postmaster/ingestion';
import { miniLM } from '@postmaster/models';
import { languageOf } from '@postmaster/parsers';
import { retrievalService } from '@postmaster/retrieval';
import { lanceDbStore } from '@postmaster/vectors';
import { load, median, quantiles, say, sleep, timed } from './figures.mjs';
import { fill, FILLED_BY, TENANT, withData } from './filled.mjs';
import { withFolder, withServer } from './server.mjs';
import { documents, paragraphs, questions, SKIPPED } from './texts.mjs';

const PER_LEG = 50;
const ASKED = 120;
const BULK_PARAGRAPHS = 150;
const PHASES = ['plan', 'encode', 'candidates', 'complete', 'fuse', 'living'];

export const search = async ({ count = 10_000, threads }) => {
  if (SKIPPED) return SKIPPED;
  const all = questions();
  const asked = Array.from({ length: ASKED }, (_, i) => all[(i * 9) % all.length]);
  return withFolder(async (folder) => {
    const [fillMs, { index }] = await timed(() => fill(folder, count, threads));
    say(`search: ${count} paragraphs filled in ${(fillMs / 1_000).toFixed(0)} s`);
    const useCase = await withData(folder, (data) => inProcess(data, index, asked, threads));
    say(`search: use case ${useCase.ratio.toFixed(2)} × its bare parts`);
    const server = await withServer(folder, { ENCODER_THREADS: String(threads) }, (at) =>
      throughTheFrontDoor(at, asked),
    );
    return { paragraphs: count, questions: asked.length, filledBy: FILLED_BY, ...useCase, server, load: load() };
  });
};

/** The services wired as in the standalone app, their workers at rest. */
const inProcess = async (data, index, asked, threads) => {
  const seal = identitySeal(randomBytes(32));
  const requests = localRequests(seal);
  const encoder = await miniLM({ threads });
  const store = lanceDbStore({ folder: data.within('vectors') });
  const onError = (error) => say(String(error));
  embeddingService({ db: databaseOf(data.database.kysely, EMBEDDING_SCHEMA), encoder, store, requests, onError });
  ingestionService({
    ...{
      db: databaseOf(data.database.kysely, INGESTION_SCHEMA),
      blobs: folderBlobs(data.within('blobs')),
      requests,
      seal,
    },
    ...{ limits: {}, maxBytes: 0, parsers: 1, now: () => new Date(), newId, onError },
  });
  const { search } = retrievalService({ requests, store, languageOf, hold: () => encoder.hold(), onFault: onError });
  const token = await seal.sign({ tenant: TENANT, subject: 'bench', scopes: ['read'] });
  const timings = [];
  const useCase = async (query) => {
    const [ms, { timing }] = await timed(() => search(TENANT, token, { query }));
    timings.push({ ...timing, ms });
    return ms;
  };
  const bare = async (text) => {
    const [ms] = await timed(async () => {
      const [vector] = await encoder.embed([text], 'query');
      const probe = { vector, text, legs: LEGS };
      const lists = await store.candidates(TENANT, index.name, probe, PER_LEG);
      const ids = [...new Set(Object.values(lists).flatMap((list) => list.map(({ id }) => id)))];
      await store.complete(TENANT, index.name, probe, ids);
    });
    return ms;
  };
  try {
    for (const query of asked.slice(0, 15)) await useCase(query).then(() => bare(query));
    timings.length = 0;
    const ofUseCase = [];
    const ofBare = [];
    for (const [i, query] of asked.entries()) {
      if (i % 2) ofBare.push(await bare(query));
      ofUseCase.push(await useCase(query));
      if (!(i % 2)) ofBare.push(await bare(query));
    }
    return {
      livingParagraphs: 'answered by ingestion from its rows',
      useCaseMs: quantiles(ofUseCase),
      bareMs: quantiles(ofBare),
      ratio: median(ofUseCase) / median(ofBare),
      target: 1.5,
      withoutEncodingMs: median(timings.map(({ ms, encode }) => ms - encode)),
      withoutEncodingTargetMs: 60,
      phasesMs: Object.fromEntries(PHASES.map((phase) => [phase, median(timings.map((timing) => timing[phase]))])),
    };
  } finally {
    await encoder.close();
    await store.close();
  }
};

const SEARCH = `query($query: String!) { search(query: $query) {
  tookMs notices { code } hits { score relevance paragraph { id text } why { leg score text } } } }`;

const throughTheFrontDoor = async (server, asked) => {
  const ask = async (query) => {
    const [ms, { search }] = await timed(() => server.ask(SEARCH, { query }));
    return { ms, took: search.tookMs, unchecked: search.notices.length };
  };
  for (const query of asked.slice(0, 15)) await ask(query);
  const atFirst = await server.metrics();
  const idle = [];
  for (const query of asked) {
    await sleep(20);
    idle.push(await ask(query));
  }
  const idleLag = await server.metrics();

  const uploads = documents(paragraphs(BULK_PARAGRAPHS), 10);
  let uploading = true;
  const feed = (async () => {
    for (let round = 0; uploading; round++)
      for (const { name, text } of uploads)
        if (uploading) {
          await server.upload({ name: `${round}-${name}`, text: `${text}\nRound ${round}.` });
          await sleep(500);
        }
  })();
  await sleep(4_000);
  const before = await server.metrics();
  const during = [];
  for (const query of asked) {
    await sleep(150);
    during.push(await ask(query));
  }
  const lag = await server.metrics();
  uploading = false;
  await feed;
  const of = (runs, what) => quantiles(runs.map(what));
  const p95 = (runs, what) => of(runs, what).p95;
  const name = 'nodejs_eventloop_lag_p99_seconds';
  return {
    note: 'tookMs is the use case within the server; the gateway is what the caller waits beyond it. Event loop delay as prom-client reports it: its own 10 ms timer included',
    idle: { tookMs: of(idle, ({ took }) => took), callerMs: of(idle, ({ ms }) => ms) },
    gatewayMs: median(idle.map(({ ms, took }) => ms - took)),
    duringBulkIngest: { tookMs: of(during, ({ took }) => took), callerMs: of(during, ({ ms }) => ms) },
    p95Ratio: p95(during, ({ took }) => took) / p95(idle, ({ took }) => took),
    p95RatioOfCallers: p95(during, ({ ms }) => ms) / p95(idle, ({ ms }) => ms),
    p95RatioTarget: 2,
    eventLoopDelayP99Ms: { idle: idleLag(name) * 1_000, duringBulkIngest: lag(name) * 1_000, target: 100 },
    uncheckedDuringBulk: during.filter(({ unchecked }) => unchecked > 0).length,
    meanPhasesMs: { idle: phases(atFirst, idleLag), duringBulkIngest: phases(before, lag) },
    paragraphsIngestedMeanwhile: indexed(lag) - indexed(before),
  };
};

const indexed = (metrics) => metrics('postmaster_jobs_total', 'kind="embedding.index-facets"', 'outcome="done"');

/** Milliseconds of each phase of the searches between two looks, on average. */
const phases = (from, to) =>
  Object.fromEntries(
    PHASES.map((phase) => {
      const grown = (part) => {
        const of = (metrics) => metrics(`postmaster_search_seconds_${part}`, `phase="${phase}"`);
        return of(to) - of(from);
      };
      return [phase, (grown('sum') / grown('count')) * 1_000];
    }),
  );
