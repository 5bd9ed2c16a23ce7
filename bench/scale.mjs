// Search on ten times as many paragraphs: the use case's latency, what of it is neither the encoder's nor the store's,
// and how many of the ten truly nearest each facet's list begins with: of all, of a small tenant's, of a small collection.
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { localRequests } from '@postmaster/bus';
import {
  encodeQuestion,
  identitySeal,
  knownValues,
  livingParagraphs,
  NAMED_VECTORS,
  TenantId,
} from '@postmaster/contracts';
import { indexOf } from '@postmaster/embedding';
import { miniLM } from '@postmaster/models';
import { languageOf } from '@postmaster/parsers';
import { search } from '@postmaster/retrieval';
import { lanceDbStore } from '@postmaster/vectors';
import { load, median, quantiles, say, timed } from './figures.mjs';
import { FILLED_BY, placedParagraphs, portionsOf, TENANT } from './filled.mjs';
import { withFolder } from './server.mjs';
import { questions, SKIPPED } from './texts.mjs';

const SMALL = TenantId.parse('small');
const SMALL_COUNT = 300;
const ASKED = 120;
const PROBES = 25;
const NEAREST = 10;
const PER_LEG = 50;

export const scale = async ({ count = 100_000, threads }) => {
  if (SKIPPED) return SKIPPED;
  const all = questions();
  const asked = Array.from({ length: ASKED }, (_, i) => all[(i * 9) % all.length]);
  const encoder = await miniLM({ threads });
  try {
    const runs = [];
    for (const paragraphs of [count / 10, count])
      runs.push(await withFolder((folder) => measured(folder, encoder, paragraphs, asked)));
    const [few, many] = runs;
    return {
      filledBy: FILLED_BY,
      ...{ [few.paragraphs]: few, [many.paragraphs]: many },
      cpuRatio: many.searchCpuMs.p50 / few.searchCpuMs.p50,
      latencyRatio: { p50: many.searchMs.p50 / few.searchMs.p50, p95: many.searchMs.p95 / few.searchMs.p95, target: 2 },
      recallTarget: 0.95,
      outsideTargetMs: 3.5,
      load: load(),
    };
  } finally {
    await encoder.close();
  }
};

const measured = async (folder, encoder, count, asked) => {
  const index = indexOf(encoder);
  const store = lanceDbStore({ folder });
  try {
    const vectors = [];
    for (const text of asked.slice(0, PROBES)) vectors.push((await encoder.embed([text], 'query'))[0]);
    const nearest = { all: nearestOf(vectors), collection: nearestOf(vectors), small: nearestOf(vectors) };
    const made = await placedParagraphs(encoder, count);
    const [fillMs] = await timed(async () => {
      let at = 0;
      for (const patches of portionsOf(made)) {
        for (const patch of patches) {
          nearest.all.take(patch);
          if (at++ % Math.floor(count / SMALL_COUNT) === 0) {
            patch.payload.collection = 'few';
            nearest.collection.take(patch);
          }
        }
        await store.put(TENANT, index, patches);
      }
      const small = [...portionsOf({ ...made, placed: made.placed.slice(-SMALL_COUNT) })].flat();
      small.forEach(nearest.small.take);
      await store.put(SMALL, index, small);
      for (const tenant of [TENANT, TENANT, SMALL]) await store.optimize(tenant, index);
    });
    say(`scale: ${count} paragraphs filled in ${(fillMs / 1_000).toFixed(0)} s`);
    const recall = {
      all: await recallOf(store, index, TENANT, nearest.all),
      'a small collection': await recallOf(store, index, TENANT, nearest.collection, { collections: ['few'] }),
      'a small tenant': await recallOf(store, index, SMALL, nearest.small),
    };
    const gigabytes = (await bytesIn(folder)) / 1e9;
    const times = await searches(store, encoder, index, asked);
    say(`scale: p50 ${times.searchMs.p50.toFixed(1)} ms, outside ${times.outsideMs.toFixed(2)} ms`);
    return { paragraphs: count, fillMs, gigabytes, ...times, recallAt10: recall };
  } finally {
    await store.close();
  }
};

const bytesIn = async (folder) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** The true nearest of all that was taken, by exact cosine, for each question and facet; a list of questions by its best. */
const nearestOf = (questions) => {
  const best = NAMED_VECTORS.map(() => questions.map(() => []));
  const dot = (a, b) => {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  };
  return {
    questions,
    best,
    take: ({ id, vectors }) =>
      NAMED_VECTORS.forEach((leg, l) => {
        const own = [vectors[leg] ?? []].flat();
        if (own.length === 0) return;
        questions.forEach((question, q) => {
          const list = best[l][q];
          const score = Math.max(...own.map((vector) => dot(vector, question)));
          if (list.length === NEAREST && score <= list.at(-1).score) return;
          list.push({ id, score });
          list.sort((a, b) => b.score - a.score);
          list.length = Math.min(list.length, NEAREST);
        });
      }),
  };
};

const recallOf = async (store, index, tenant, { questions, best }, filter) => {
  const recalls = {};
  for (const [l, leg] of NAMED_VECTORS.entries()) {
    let found = 0;
    let all = 0;
    for (const [q, vector] of questions.entries()) {
      const wanted = new Set(best[l][q].map(({ id }) => id));
      const probe = { vector, text: '', legs: [leg], filter };
      const lists = await store.candidates(tenant, index.name, probe, PER_LEG);
      found += lists[leg].slice(0, NEAREST).filter(({ id }) => wanted.has(id)).length;
      all += wanted.size;
    }
    recalls[leg] = found / all;
  }
  return recalls;
};

/** The use case over this store, its other neighbours answering at once. */
const searches = async (store, encoder, index, asked) => {
  const seal = identitySeal(randomBytes(32));
  const requests = localRequests(seal);
  requests.answer(encodeQuestion, async (_, { text }) => {
    const [vector] = await encoder.embed([text], 'query');
    return { index: index.name, encoder: index.encoder, vector };
  });
  requests.answer(livingParagraphs, async (_, { ids }) => ({ living: ids }));
  requests.answer(knownValues, async () => ({ values: [] }));
  const find = search({
    requests,
    store,
    languageOf,
    hold: () => encoder.hold(),
    onFault: (error) => say(String(error)),
  });
  const token = await seal.sign({ tenant: TENANT, subject: 'bench', scopes: ['read'] });
  const timings = [];
  for (const query of [...asked.slice(0, 15), ...asked]) {
    const before = process.cpuUsage();
    const [ms, { timing }] = await timed(() => find(TENANT, token, { query }));
    const { user, system } = process.cpuUsage(before);
    timings.push({ ms, cpu: (user + system) / 1_000, ...timing });
  }
  const counted = timings.slice(15);
  return {
    searchMs: quantiles(counted.map(({ ms }) => ms)),
    searchCpuMs: quantiles(counted.map(({ cpu }) => cpu)),
    withoutEncodingMs: quantiles(counted.map(({ ms, encode }) => ms - encode)),
    outsideMs: median(
      counted.map(({ ms, encode, candidates, complete, living }) => ms - encode - candidates - complete - living),
    ),
  };
};
