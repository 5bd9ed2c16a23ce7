// Memory: the server with many paragraphs in its folder, after it took in some more and searched; and each part's share,
// by leaving it out of a process that does the same work with all of them.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { load, say, timed } from './figures.mjs';
import { fill, FILLED_BY } from './filled.mjs';
import { allReady, withFolder, withServer } from './server.mjs';
import { documents, paragraphs, questions, SKIPPED } from './texts.mjs';

const PARTS = ['services', 'rows', 'encoder', 'vectors'];
const INGESTED = 200;
const SEARCHES = 100;

export const memory = async ({ count = 10_000, threads }) => {
  if (SKIPPED) return SKIPPED;
  return withFolder(async (folder) => {
    const [fillMs, { index }] = await timed(() => fill(folder, count, threads));
    say(`memory: ${count} paragraphs filled in ${(fillMs / 1_000).toFixed(0)} s`);
    const server = await withServer(folder, { ENCODER_THREADS: String(threads) }, measured);
    say(`memory: the server takes ${server.afterIngestMb.toFixed(0)} MB`);
    const run = (without) =>
      composed({ folder, index: index.name, without, threads, asked: questions().slice(0, SEARCHES) });
    const all = await run('');
    const shares = {};
    for (const part of PARTS) shares[part] = all - (await run(part));
    return {
      paragraphs: count,
      filledBy: FILLED_BY,
      server: { ...server, ingestedBesides: `${INGESTED} paragraphs through the front door, ${SEARCHES} searches` },
      composed: {
        note: 'one process with the same parts at work (MB of RSS); a share is what leaving the part out saves. services: the code of all five and the gateway, loaded; rows: PGlite; encoder: the bundled MiniLM; vectors: LanceDB',
        allMb: all,
        sharesMb: shares,
        restMb: all - Object.values(shares).reduce((sum, mb) => sum + mb, 0),
      },
      load: load(),
    };
  });
};

const MB = 1e6;

const measured = async (server) => {
  const rss = async () => (await server.metrics())('process_resident_memory_bytes') / MB;
  const startMb = await rss();
  const uploads = documents(paragraphs(INGESTED), 25);
  for (const document of uploads) await server.upload(document);
  await allReady(server, uploads.length, 600_000);
  const afterIngestMb = await rss();
  for (const query of questions().slice(0, SEARCHES))
    await server.ask('query($query: String!) { search(query: $query) { hits { score } } }', { query });
  return { startMb, afterIngestMb, afterSearchesMb: await rss() };
};

/** RSS of a process of these parts, after their work. */
const composed = (what) =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('memory-parts.mjs', import.meta.url)), [JSON.stringify(what)]);
    let rss;
    child.once('message', (value) => (rss = value / MB));
    child.once('exit', (code) => (rss === undefined ? reject(new Error(`It ended with ${code}.`)) : resolve(rss)));
  });
