// The spread-out topology as plain processes: the pipeline with the model as the bottleneck, by one and by two
// enrichment replicas and with faults; a search against its bare parts; and what the gateway adds.
import { startCluster } from '@postmaster/cluster';
import { startModelServer } from '@postmaster/testing';
import { searchParts } from './cluster-search.mjs';
import { gatewayParts } from './cluster-gateway.mjs';
import { load, say, sleep } from './figures.mjs';
import { allReady, caller, total, withFolder } from './server.mjs';
import { documents, paragraphs, RULE, SKIPPED } from './texts.mjs';
import { watchModel } from './watch-model.mjs';

const CONCURRENCY = 4;
const LATENCY_MS = 500;
const PER_DOCUMENT = 20;
const FAULT_SHARE = 0.05;
const FEW = 20;

export const cluster = async ({ count = 480 }) => {
  if (SKIPPED) return SKIPPED;
  const model = await startModelServer({ latencyMs: LATENCY_MS });
  const env = { ENCODER_THREADS: '1', LOG_LEVEL: 'error' };
  const enrichment = {
    ...{ LLM_PROVIDER: 'openai', LLM_URL: `${model.url}/v1`, LLM_MODEL: 'stand-in' },
    LLM_CONCURRENCY: String(CONCURRENCY),
  };
  try {
    return await withFolder(async (folder) => {
      const replicas = { tenants: 1, ingestion: 1, enrichment: 1, embedding: 1, retrieval: 1 };
      const running = await startCluster({ folder, env, envOf: { enrichment }, replicas, onProgress: say });
      try {
        return await measured(running, model, count);
      } finally {
        await running.stop();
      }
    });
  } finally {
    await model.close();
  }
};

const measured = async (running, model, count) => {
  const texts = paragraphs(6 * count);
  // While there are few points the search is short, and what the gateway adds is not lost in its noise.
  await pipeline(running, model, { texts: texts.slice(-FEW), name: 'few', workers: 1 });
  const gateway = await gatewayParts(running);
  say(`cluster: the gateway adds ${gateway.addedP50Ms.toFixed(1)} ms`);
  const one = await pipeline(running, model, { texts: texts.slice(0, count), name: 'one', workers: 1 });
  say(`cluster: one enrichment replica keeps ${one.kept.toFixed(3)} of the ideal`);
  await running.add('enrichment');
  const two = await pipeline(running, model, { texts: texts.slice(count, 3 * count), name: 'two', workers: 2 });
  say(`cluster: two keep ${two.kept.toFixed(3)}`);
  const faults = await withFaults(running, model, texts.slice(3 * count));
  say(`cluster: with faults and a kill ${faults.kept.toFixed(3)}`);
  const search = await searchParts(running);
  return {
    ...{
      rule: RULE,
      latencyMs: LATENCY_MS,
      concurrencyOfAReplica: CONCURRENCY,
      processes: running.replicas.length + 1,
    },
    pipeline: { ...one, target: 0.9 },
    twoReplicas: { ...two, timesOne: two.paragraphsPerSecond / one.paragraphsPerSecond, target: 1.8 },
    faults: { ...faults, share: FAULT_SHARE, killed: 'an enrichment replica, started again at once', target: 0.85 },
    ...{ search, gateway, load: load() },
  };
};

/** From the first call to the last reply, against ⌈paragraphs / calls at once⌉ × latency. */
const pipeline = async (running, model, { texts, name, workers, during }) => {
  const server = caller(running.url, running.key);
  const before = (await server.ask(COUNT)).documents.totalCount;
  model.forget();
  const seen = watchModel(model);
  const uploads = documents(texts, PER_DOCUMENT).map((document) => ({ ...document, name: `${name}-${document.name}` }));
  for (const document of uploads) await server.upload(document);
  await during?.();
  const { documents: all } = await allReady(server, before + uploads.length, 900_000);
  const { firstCall, lastReply } = seen.end();
  const made = new Set(model.paragraphs).size;
  const tookMs = lastReply - firstCall;
  const idealMs = Math.ceil(made / (CONCURRENCY * workers)) * LATENCY_MS;
  return {
    ...{ paragraphs: made, ofAll: total(all), idealMs, tookMs, kept: idealMs / tookMs },
    ...{ paragraphsPerSecond: (made * 1_000) / tookMs, calls: model.calls.length, peak: model.peak },
  };
};

const COUNT = '{ documents(first: 1) { totalCount } }';

/** One call in twenty fails, and one of the two replicas is killed on the way. */
const withFaults = async (running, model, texts) => {
  let failed = 0;
  const timer = setInterval(() => {
    if (model.calls.length * FAULT_SHARE < failed + 1) return;
    failed++;
    model.failNext(1, { kind: 'status', status: 503 });
  }, 10);
  const [victim] = running.replicas.filter(({ service }) => service === 'enrichment');
  const kill = async () => {
    while (model.calls.length < texts.length / 3) await sleep(50);
    await running.end(victim);
    await running.start(victim);
  };
  const figures = await pipeline(running, model, { texts, name: 'faults', workers: 2, during: kill });
  clearInterval(timer);
  return { ...figures, failed };
};
