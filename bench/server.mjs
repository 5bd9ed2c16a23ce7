// The real server as a process of its own in a temporary folder, and a caller at its front door.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sleep } from './figures.mjs';

const MAIN = fileURLToPath(new URL('../apps/standalone/dist/main.js', import.meta.url));
const START_WITHIN_MS = 150_000; // on a busy machine too

export const withFolder = async (work) => {
  const folder = await mkdtemp(join(tmpdir(), 'postmaster-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
};

/** Runs a server on `folder` for as long as `work` lasts. */
export const withServer = async (folder, env, work) => {
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, PORT: '0', LOG_LEVEL: 'warn' },
      ...{ POSTMASTER_DATA: join(folder, 'data'), ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = await startedAt(child, () => output);
    const key = (await readFile(join(folder, 'data', 'api-key'), 'utf8')).trim();
    const result = await work(caller(url, key), { url, key, pid: child.pid });
    if (/"level":"?(error|50)/.test(output)) process.stderr.write(`The server complained:\n${output.slice(0, 4000)}\n`);
    return result;
  } catch (error) {
    process.stderr.write(`${output.slice(-4000)}\n`);
    throw error;
  } finally {
    child.kill('SIGTERM');
    const late = setTimeout(kill, 20_000);
    await ended;
    clearTimeout(late);
    process.off('exit', kill);
  }
};

const startedAt = async (child, output) => {
  for (const end = Date.now() + START_WITHIN_MS; Date.now() < end && child.exitCode === null; await sleep(20)) {
    const url = /runs at (http:\S+)/.exec(output())?.[1];
    if (url) return url;
  }
  throw new Error('The server did not start.');
};

export const caller = (url, key) => {
  const headers = { authorization: `Bearer ${key}` };
  const ask = async (query, variables = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  const send = (path, init) => fetch(`${url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
  const upload = async ({ name, text }) => {
    const form = new FormData();
    form.append('file', new Blob([text]), name);
    const response = await fetch(`${url}/api/v1/documents`, { method: 'POST', headers, body: form });
    if (response.status !== 202) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  };
  /** The sum over all lines of /metrics of that name and these labels; what Node says of its event loop begins anew with each look. */
  const metrics = async () => {
    const lines = (await (await fetch(`${url}/metrics`, { headers })).text()).split('\n');
    return (name, ...labels) =>
      lines
        .filter((line) => /^[^{ ]*/.exec(line)[0] === name && labels.every((label) => line.includes(label)))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  return { ask, send, upload, metrics };
};

const STATES = (progress) => `query($after: String) { documents(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor }
  nodes { id status failure { code } ${progress ? 'progress { total }' : ''} } } }`;

/** Progress is counted anew for each document: asked for only at the end, it is no part of what is measured. */
const states = async ({ ask }, progress = false) => {
  const nodes = [];
  for (let after = null; ;) {
    const { documents } = await ask(STATES(progress), { after });
    nodes.push(...documents.nodes);
    if (!documents.pageInfo.hasNextPage) return nodes;
    after = documents.pageInfo.endCursor;
  }
};

/** Each look is work for the server that is measured: a second off in a run of half a minute costs less than four looks. */
const LOOK_MS = 1_000;

/** Resolves with the documents once all are settled; right within a second. */
export const allReady = async (server, count, withinMs) => {
  for (const end = Date.now() + withinMs; ; await sleep(LOOK_MS)) {
    const now = await states(server);
    const failed = now.find(({ status }) => status === 'FAILED');
    if (failed) throw new Error(`A document failed: ${JSON.stringify(failed)}`);
    if (now.length >= count && now.every(({ status }) => status === 'READY'))
      return { at: performance.now(), documents: await states(server, true) };
    if (Date.now() > end) throw new Error(`Not ready in time: ${JSON.stringify(now.slice(0, 3))}`);
  }
};

export const total = (documents) => documents.reduce((sum, { progress }) => sum + progress.total, 0);

/** Every text of these documents that has a vector: paragraphs and facets as they were indexed. */
export const indexedTexts = async ({ ask }, documents) => {
  const texts = [];
  for (const { id } of documents)
    for (let after = null; ;) {
      const { paragraphs } = (await ask(TEXTS, { id, after })).document;
      for (const { text, facets } of paragraphs.nodes)
        texts.push(
          text,
          ...[...facets.simpleQuestions, ...facets.complexQuestions].map((question) => question.text),
          ...[facets.context, facets.scope].filter(Boolean),
        );
      if (!paragraphs.pageInfo.hasNextPage) break;
      after = paragraphs.pageInfo.endCursor;
    }
  return texts;
};

const TEXTS = `query($id: ID!, $after: String) { document(id: $id) { paragraphs(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor }
  nodes { text facets { simpleQuestions { text } complexQuestions { text } context scope } } } } }`;
