// npm run bench [-- ingest|embedding|search|memory|cluster|folders|volume|limits|parsing|upload|stalls …] [--paragraphs N] [--documents N --minutes N]: prints one JSON document; progress goes to
// stderr. Figures are ratios of two sides measured in the same run: their absolute values belong to this machine.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { load, rounded, say, timed } from './figures.mjs';

const PARTS = {
  embedding: async (options) => ({ embedding: await (await import('./embedding.mjs')).embedding(options) }),
  ingest: async (options) => ({
    ...(await PARTS['ingest-model'](options)),
    ...(await PARTS['ingest-encoder'](options)),
  }),
  search: async (options) => ({ search: await (await import('./search.mjs')).search(options) }),
  memory: async (options) => ({ memory: await (await import('./memory.mjs')).memory(options) }),
  'ingest-model': async (options) => ({ ingestModel: await (await import('./ingest-model.mjs')).ingestModel(options) }),
  'ingest-encoder': async (options) => ({
    ingestEncoder: await (await import('./ingest-encoder.mjs')).ingestEncoder(options),
  }),
  cluster: async (options) => ({ cluster: await (await import('./cluster.mjs')).cluster(options) }),
  scale: async (options) => ({ scale: await (await import('./scale.mjs')).scale(options) }),
  folders: async (options) => ({ folders: await (await import('./folders.mjs')).folders(options) }),
  volume: async (options) => ({ volume: await (await import('./volume.mjs')).volume(options) }),
  limits: async () => ({ limits: await (await import('./limits.mjs')).limits() }),
  parsing: async () => ({ parsing: await (await import('./parsing.mjs')).parsing() }),
  upload: async () => ({ upload: await (await import('./upload.mjs')).upload() }),
  stalls: async (options) => ({ stalls: await (await import('./stalls.mjs')).stalls(options) }),
  store: async (options) => ({ store: await (await import('./store.mjs')).store(options) }),
};
const ALL = ['embedding', 'ingest', 'search', 'memory'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ paragraphs: { type: 'string' }, threads: { type: 'string' } },
    ...{ documents: { type: 'string' }, minutes: { type: 'string' } }, // of volume
  },
});
const chosen = positionals.length > 0 ? positionals : ALL;
const unknown = chosen.find((part) => !(part in PARTS));
if (unknown) {
  say(`There is no bench "${unknown}": ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}
const options = {
  ...(values.paragraphs && { count: Number(values.paragraphs) }),
  ...(values.documents && { documents: Number(values.documents) }),
  ...(values.minutes && { minutes: Number(values.minutes) }),
  threads: Number(values.threads ?? availableParallelism()),
};

const result = { node: process.version, cores: availableParallelism(), loadAtStart: load() };
for (const part of chosen) {
  say(`— ${part}`);
  const [ms, figures] = await timed(() => PARTS[part](options));
  Object.assign(result, figures);
  say(`  ${(ms / 1_000).toFixed(0)} s`);
}
console.log(JSON.stringify(rounded({ ...result, loadAtEnd: load() }), null, 2));
