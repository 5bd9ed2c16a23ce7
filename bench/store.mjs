// The vector store alone, as ingestion writes and search reads it; not among the parts that run by default. Vectors are
// made without a model: each word has a seeded random vector of 384 dimensions, a text is the weighted sum of its words',
// so that texts with rare words in common are near each other.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { TenantId } from '@postmaster/contracts';
import { lanceDbStore } from '@postmaster/vectors';
import { median, quantiles, sleep, timed } from './figures.mjs';
import { withFolder } from './server.mjs';
import { paragraphs, questions, random, SKIPPED } from './texts.mjs';

const DIMENSION = 384;
const LEGS = ['paragraph', 'simple_questions', 'complex_questions', 'context', 'scope', 'lexical'];
const PER_LEG = 50;
const tenant = TenantId.parse('bench');
const index = { name: 'bench', encoder: 'bench:words', dimension: DIMENSION };
const words = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];

const holding = new Map();
for (const { text } of SKIPPED ? [] : paragraphs(240))
  for (const word of new Set(words(text))) holding.set(word, (holding.get(word) ?? 0) + 1);

const wordVectors = new Map();
const wordVector = (word) => {
  let vector = wordVectors.get(word);
  if (!vector) {
    let seed = 0x811c9dc5;
    for (const unit of word) seed = Math.imul(seed ^ unit.codePointAt(0), 0x01000193);
    const next = random(seed);
    vector = Float32Array.from({ length: DIMENSION }, () => next() + next() + next() - 1.5);
    wordVectors.set(word, vector);
  }
  return vector;
};
const encode = (text) => {
  const sum = new Float32Array(DIMENSION);
  for (const word of words(text)) {
    const weight = 1 / (1 + (holding.get(word) ?? 0) / 50);
    const vector = wordVector(word);
    for (let i = 0; i < DIMENSION; i++) sum[i] += weight * vector[i];
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
};

const patchOf = (one, i) => ({
  id: `p${i}`,
  revision: 1,
  payload: {
    ...{ document: one.document, version: 1, active: true, position: one.position, page: null },
    ...{ start: 0, end: one.text.length, trail: [], text: one.text, title: one.title },
    ...{ simpleQuestions: one.simpleQuestions, complexQuestions: one.complexQuestions },
    ...{ context: one.context, scope: one.scope, contentType: 'text/plain', language: 'en' },
    ...{ sourceType: 'upload', sourceId: one.document, collection: `c${i % 10}`, createdAt: null },
    ...{ addedAt: '2026-01-01T00:00:00.000Z', metadata: { tenth: i % 10 } },
  },
  vectors: {
    paragraph: encode(one.text),
    simple_questions: one.simpleQuestions.map(encode),
    complex_questions: one.complexQuestions.map(encode),
    context: encode(one.context),
    scope: encode(one.scope),
  },
});

const rss = () => Math.round(process.memoryUsage().rss / 1e6);
const bytesIn = async (folder) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

const probes = (SKIPPED ? [] : questions())
  .filter((_, i) => i % 12 === 0)
  .map((text) => ({ vector: encode(text), text, legs: LEGS }));
const search = async (store, probe) => {
  const [candidates, lists] = await timed(() => store.candidates(tenant, index.name, probe, PER_LEG));
  const ids = [...new Set(Object.values(lists).flatMap((list) => list.map(({ id }) => id)))];
  const [complete] = await timed(() => store.complete(tenant, index.name, probe, ids));
  return { candidates, complete, both: candidates + complete, union: ids.length, lists };
};
const measured = async (store, filter) => {
  const runs = [];
  for (const probe of probes) runs.push(await search(store, filter ? { ...probe, filter } : probe));
  const of = (name) => quantiles(runs.map((run) => run[name]));
  return { candidates: of('candidates'), complete: of('complete'), both: of('both'), union: of('union').p50 };
};

const bare = { simpleQuestions: [], complexQuestions: [], context: '', scope: '' };
const textOf = ({ id, payload, vectors }) => ({
  ...{ id, revision: 1 },
  ...{ payload: { ...payload, ...bare }, vectors: { paragraph: vectors.paragraph } },
});
const facetsOf = ({ id, payload, vectors }) => ({
  ...{ id, revision: 2, payload },
  vectors: { ...vectors, paragraph: undefined },
});

/** Milliseconds and, as the machine may be shared, those of its cores. */
const spent = async (work) => {
  const before = process.cpuUsage();
  const [ms] = await timed(work);
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1_000 };
};

/** Searches, at rest and while documents of ten paragraphs come one after the other: text, and their facets after it. */
const streamed = async (store, patches) => {
  const asked = async () => {
    const runs = [];
    for (const probe of probes) {
      await sleep(100);
      let both;
      const { cpuMs } = await spent(async () => ({ both } = await search(store, probe)));
      runs.push({ both, cpuMs });
    }
    return { ms: quantiles(runs.map(({ both }) => both)), cpuMs: median(runs.map(({ cpuMs }) => cpuMs)) };
  };
  const atRest = await asked();
  const puts = [];
  let streaming = true;
  const stream = (async () => {
    for (let round = 0; streaming; round++) {
      const document = Array.from({ length: 10 }, (_, i) => patches[(round * 10 + i) % patches.length]);
      for (const of of [textOf, facetsOf]) {
        const some = document.map((patch, i) => ({ ...of(patch), id: `new${round}-${i}` }));
        puts.push((await timed(() => store.put(tenant, index, some)))[0]);
        await sleep(200);
      }
    }
    await store.remove(
      tenant,
      index,
      Array.from({ length: puts.length * 5 }, (_, i) => `new${Math.floor(i / 10)}-${i % 10}`),
    );
  })();
  const during = await asked();
  streaming = false;
  await stream;
  const ratio = during.ms.p50 / atRest.ms.p50;
  return { atRest, during, ratio, ratioTarget: 1.5, putMs: quantiles(puts) };
};

/** Share of the true ten best, by exact cosine over all points, that a leg's list begins with. */
const recallAt10 = async (store, patches, leg, keep = () => true, filter = undefined) => {
  let found = 0;
  let all = 0;
  for (const probe of probes.slice(0, 25)) {
    const dot = (v) => v.reduce((sum, value, i) => sum + value * probe.vector[i], 0);
    const kept = patches.filter((patch) => keep(patch) && patch.vectors[leg]);
    const scores = kept.map(({ id, vectors }) => [id, Math.max(...[vectors[leg]].flat().map(dot))]);
    const best = new Set(
      scores
        .sort((a, b) => b[1] - a[1])
        .slice(0, 10)
        .map(([id]) => id),
    );
    const lists = await store.candidates(tenant, index.name, { ...probe, legs: [leg], filter }, PER_LEG);
    found += lists[leg].slice(0, 10).filter(({ id }) => best.has(id)).length;
    all += best.size;
  }
  return Math.round((found / all) * 1000) / 1000;
};

export const store = ({ count = 10_000 }) => SKIPPED ?? withFolder((folder) => measure(folder, count));

const measure = async (folder, count) => {
  const patches = paragraphs(count).map(patchOf);
  wordVectors.clear();
  const before = rss();
  const store = lanceDbStore({ folder });

  // text first, facets after, 32 points a call, four writers: the way ingestion comes
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const calls = [];
  for (let i = 0; i < count; i += 32) calls.push(patches.slice(i, i + 32));
  const busy = [];
  let writing = true;
  const searching = (async () => {
    for (let i = 0; writing; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      busy.push((await search(store, probes[i % probes.length])).both);
    }
  })();
  const writer = async (queue) => {
    for (let call = queue.shift(); call; call = queue.shift()) await store.put(tenant, index, call);
  };
  const writeAll = (queue) => spent(() => Promise.all([1, 2, 3, 4].map(() => writer(queue))));
  delay.enable();
  const text = await writeAll(calls.map((call) => call.map(textOf)));
  const facets = await writeAll(calls.map((call) => call.map(facetsOf)));
  writing = false;
  await searching;
  delay.disable();
  const optimize = await spent(() => store.optimize(tenant, index));
  await store.optimize(tenant, index);

  await measured(store);
  const legs = {};
  for (const leg of LEGS) {
    const times = [];
    for (const probe of probes.slice(0, 40))
      times.push((await timed(() => store.candidates(tenant, index.name, { ...probe, legs: [leg] }, PER_LEG)))[0]);
    legs[leg] = quantiles(times);
  }
  const idle = await measured(store);
  const narrow = { metadata: [{ key: 'tenth', value: 3 }], titleWords: ['tesla'] };
  const result = {
    paragraphs: count,
    vectorsEach: 8,
    dimension: DIMENSION,
    write: {
      ...{ text, facets, optimize },
      cpuMsAParagraph: (text.cpuMs + facets.cpuMs + optimize.cpuMs) / count,
      searchMeanwhile: quantiles(busy),
      eventLoopP99Ms: delay.percentile(99) / 1e6,
    },
    search: idle,
    stream: await streamed(store, patches),
    filtered: { 'a tenth': await measured(store, { collections: ['c3'] }), 'a few': await measured(store, narrow) },
    legs,
    recallAt10: {
      paragraph: await recallAt10(store, patches, 'paragraph'),
      simple_questions: await recallAt10(store, patches, 'simple_questions'),
      'paragraph, filtered': await recallAt10(
        store,
        patches,
        'paragraph',
        ({ payload }) => payload.collection === 'c3',
        { collections: ['c3'] },
      ),
    },
    rssMb: { before, after: rss() },
    diskMb: Math.round((await bytesIn(folder)) / 1e6),
    points: (await store.revisions(tenant, index)).size,
  };
  await store.close();
  const again = lanceDbStore({ folder });
  result.reopenMs = Math.round((await timed(() => search(again, probes[0])))[0]);
  await again.close();
  return result;
};
