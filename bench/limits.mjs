// How near adaptive concurrency comes to what a server can do, of which it is told nothing: one that refuses above its
// places with 429, and one that lets calls wait. The client has endless work; the latency is long, so that the load of the
// machine matters little.
import { setMaxListeners } from 'node:events';
import { modelsAt } from '@postmaster/models';
import { startModelServer } from '@postmaster/testing';
import { load, say } from './figures.mjs';

const LATENCY_MS = 400;
const SECONDS = 60;
const CALLERS = 96;

const run = async (above, count) => {
  const server = await startModelServer({ latencyMs: LATENCY_MS, places: { count, above } });
  const model = modelsAt('openai', { url: `${server.url}/v1`, model: 'stand-in', concurrency: CALLERS }).facets;
  const input = (n) => ({
    title: 'T',
    trail: [],
    before: '',
    text: `Paragraph ${n} of the bench.`,
    after: '',
    language: 'en',
  });
  const end = performance.now() + SECONDS * 1_000;
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal); // one for each call in hand
  let asked = 0;
  let failed = 0;
  const caller = async () => {
    while (performance.now() < end)
      await model.makeFacets(input(asked++), leaving.signal).catch(() => (failed += leaving.signal.aborted ? 0 : 1));
  };
  const callers = Array.from({ length: CALLERS }, caller);
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000));
  const { calls } = server;
  const answered = calls.filter(({ outcome }) => outcome === 'answered').length;
  const refused = calls.filter(({ outcome }) => outcome === 'failed').length;
  leaving.abort(new Error('the bench is over'));
  await Promise.all(callers);
  await server.close();
  const ideal = (count * SECONDS * 1_000) / LATENCY_MS;
  return {
    places: count,
    answered,
    ideal,
    kept: answered / ideal,
    refused,
    wasted: refused / (answered + refused),
    failed,
  };
};

export const limits = async () => {
  const result = { latencyMs: LATENCY_MS, seconds: SECONDS, callers: CALLERS, refuses: [], queues: [] };
  for (const count of [5, 20]) {
    result.refuses.push({ ...(await run('refuse', count)), target: 'kept 0.85, wasted below 0.02' });
    say(`limits: ${count} places that are not named: ${JSON.stringify(result.refuses.at(-1))}`);
    result.queues.push({ ...(await run('wait', count)), target: 'kept 0.95' });
    say(`limits: ${count} places with a queue: ${JSON.stringify(result.queues.at(-1))}`);
  }
  return { ...result, load: load() };
};
