// The longest time for which the server's main thread answers nothing while documents are read: the set's real ones, and
// large ones of each kind.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { samplePdf, sampleXlsx, zipArchive } from '@postmaster/testing';
import { quantiles, say, sleep } from './figures.mjs';
import { withFolder, withServer } from './server.mjs';
import { paragraphs, SKIPPED } from './texts.mjs';

const FOLDER = fileURLToPath(new URL('../../shared/data/parsing', import.meta.url));
const LOOK_MS = 200;
const READ_WITHIN_MS = 180_000;
const LAG = 'nodejs_eventloop_lag_max_seconds'; // since the look before

export const stalls = async ({ threads }) => {
  if (SKIPPED) return SKIPPED;
  const names = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const real = names.map(({ parentPath, name }) => ({ name, bytes: () => readFile(path.join(parentPath, name)) }));
  return withFolder((folder) =>
    withServer(folder, { ENCODER_THREADS: String(threads) }, async (server) => {
      const idle = await watched(server, () => sleep(5_000));
      const figures = {};
      for (const [kind, files] of Object.entries({ real, large: largeFiles() })) {
        const each = [];
        for (const { name, bytes } of files) {
          const content = await bytes();
          const stalledMs = await watched(server, async () => follow(server, await upload(server, name, content)));
          each.push({ name, bytes: content.length, stalledMs });
          if (kind === 'large') say(`  ${name}, ${content.length} bytes: ${stalledMs.toFixed(0)} ms`);
        }
        each.sort((one, other) => other.stalledMs - one.stalledMs);
        figures[kind] = {
          files: each.length,
          ...quantiles(each.map(({ stalledMs }) => stalledMs)),
          longest: each.slice(0, 8),
        };
      }
      return { targetMs: 100, idleMs: idle, ...figures };
    }),
  );
};

/** The longest stall in milliseconds while `work` lasts, as the server's own watch of its event loop tells it. */
const watched = async (server, work) => {
  await server.metrics(); // its watch begins anew
  let over = false;
  let longest = 0;
  const looking = (async () => {
    while (!over) {
      await sleep(LOOK_MS);
      const look = await server.metrics().catch(() => undefined);
      longest = Math.max(longest, (look?.(LAG) ?? 0) * 1_000);
    }
  })();
  await Promise.all([work().finally(() => (over = true)), looking]);
  return longest;
};

const upload = async ({ send }, name, bytes) => {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  return (await (await send('/api/v1/documents', { method: 'POST', body: form })).json()).id;
};

/** Until it is read, or refused; what is refused at once has no id. */
const follow = async (server, id) => {
  for (const end = Date.now() + READ_WITHIN_MS; id !== undefined && Date.now() < end; await sleep(LOOK_MS)) {
    const seen = await server.ask('query($id: ID!) { document(id: $id) { status } }', { id }).catch(() => undefined);
    if (seen && seen.document.status !== 'ACCEPTED') return;
  }
};

const largeFiles = () => {
  const texts = paragraphs(10_000).map(({ text }) => text);
  const many = (count) => texts.slice(0, count);
  const made = {
    'large.txt': () => many(10_000).join('\n\n'),
    'large.md': () =>
      many(10_000)
        .map((text, at) => `## Part ${at}\n\n${text}`)
        .join('\n\n'),
    'large.html': () =>
      `<html><body>${many(10_000)
        .map((text) => `<div><p>${text}</p></div>`)
        .join('')}</body></html>`,
    'large.csv': () =>
      many(5_000)
        .map((text, at) => `${at};${text.replaceAll(/[;"\n]/g, ' ')}`)
        .join('\n'),
    'large.json': () => JSON.stringify(many(5_000).map((text, at) => ({ at, text }))),
    'large.pdf': () => samplePdf(many(2_000).map((text) => [text.slice(0, 90)])),
    'large.xlsx': () => sampleXlsx({ Sheet: many(5_000).map((text, at) => [text.slice(0, 200), at]) }),
    'large.zip': () => zipArchive(Object.fromEntries(many(500).map((text, at) => [`${at}.md`, text]))),
    'one-line.txt': () => many(2_000).join(' ').replaceAll('\n', ' '),
    'bytes.bin': () => Buffer.alloc(50 * 1024 * 1024, 'x'),
  };
  return Object.entries(made).map(([name, content]) => ({ name, bytes: async () => Buffer.from(content()) }));
};
