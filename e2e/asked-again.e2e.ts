import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readSet } from '@postmaster/evaluation';
import { until } from '@postmaster/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, follow } from './client.js';
import { joinServer } from './joined-server.js';
import { type ServerProcess, temporaryFolder } from './server-process.js';

const CLI = fileURLToPath(new URL('../apps/cli/dist/main.js', import.meta.url));
const folder = temporaryFolder();
let server: ServerProcess;
let client: Client;

const BOILER = 'The boiler stands in the cellar. Its pressure should stay near 1.5 bar.';
const ROOF = 'The roof was laid in 1998. Its tiles come from Holland.';
const QUESTION = 'Where does the boiler stand?';

interface Answered {
  text: string;
  cached: boolean;
  citations: { paragraph: { id: string } }[];
}

const ask = async (): Promise<Answered> =>
  (
    await client.ask<{ ask: Answered }>(
      'query($query: String!) { ask(query: $query) { text cached citations { paragraph { id } } } }',
      { query: QUESTION },
    )
  ).ask;
const ingest = async (title: string, text: string): Promise<string> => {
  const { ingestText } = await client.ask<{ ingestText: { document: { id: string } } }>(
    `mutation($input: IngestTextInput!) { ingestText(input: $input) { ... on Ingested { document { id } } } }`,
    { input: { title, text, sourceId: title } },
  );
  await follow(client, ingestText.document.id);
  return ingestText.document.id;
};
const judge = (body: object): Promise<Response> =>
  client.get('/api/v1/feedback', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  });
const cli = (...args: string[]) =>
  promisify(execFile)(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, HOME: folder.path, POSTMASTER_URL: server.url, POSTMASTER_API_KEY: server.key },
  });

describe('a question that is asked again', () => {
  let boiler: string;
  beforeAll(async () => {
    server = await joinServer(folder.path, { ENCODER_THREADS: '1' });
    client = clientOf(server, server.key);
    boiler = await ingest('boiler', BOILER);
    await ingest('roof', ROOF);
  }, 180_000);
  afterAll(async () => {
    await server.end();
    folder.remove();
  });

  it('is answered from the cache until a document changes, and the metrics count it', async () => {
    const kept = await until(async () => {
      const answered = await ask();
      return answered.cached && answered;
    });
    expect(kept.text).toContain('in the cellar');
    const rest = await until(async () => {
      const answered = await (await client.get(`/api/v1/query?query=${encodeURIComponent(QUESTION)}`)).json();
      return (answered as Answered).cached && answered;
    });
    expect(rest).toMatchObject({ answer: kept.text });
    if (process.env.E2E_SERVER !== 'cluster')
      expect(await (await client.get('/metrics')).text()).toMatch(
        /cache_lookups_total\{cache="answer",outcome="hit"[^}]*\} [1-9]/,
      );
    await ingest('garden', 'The boiler of the greenhouse stands in the garden.');
    expect((await ask()).cached).toBe(false);
  }, 60_000);

  it('is searched by the settings of its tenant, where it says nothing else', async () => {
    const settings = (given: string) =>
      client.ask(`mutation { updateTenant(input: { search: { ${given} } }) { __typename } }`);
    const fusion = async (options = ''): Promise<unknown> =>
      (await client.ask<{ search: { plan: object } }>(`{ search(query: "boiler" ${options}) { plan { fusion } } }`))
        .search.plan;
    await settings('fusion: RRF');
    await until(async () => JSON.stringify(await fusion()) === '{"fusion":"RRF"}');
    expect(await fusion(', options: { fusion: MAX }')).toEqual({ fusion: 'MAX' });
    await settings('fusion: null');
  }, 60_000);

  it('becomes a judged question that evaluation reads, and goes with its document', async () => {
    const { citations, text } = await ask();
    const [paragraph] = citations.map((one) => one.paragraph.id);
    const given = await judge({ query: QUESTION, verdict: 'RIGHT', paragraph });
    expect([given.status, await given.json()]).toMatchObject([201, { verdict: 'RIGHT', query: QUESTION }]);
    expect((await judge({ query: QUESTION, verdict: 'RIGHT', answer: { text, citations: [paragraph] } })).status).toBe(
      201,
    );
    const refused = await judge({ query: QUESTION, verdict: 'WRONG' });
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'INPUT_INVALID' }]);
    const dir = join(folder.path, 'judged');
    expect((await cli('feedback', 'export', dir)).stdout).toMatch(/^1 judged question among [23] paragraphs/);
    const set = await readSet(dir);
    expect(set.queries.map((query) => query.text)).toEqual([QUESTION]);
    expect(set.judged).toEqual([new Map([[paragraph, 1]])]);
    await expect(cli('feedback', 'export', dir)).rejects.toMatchObject({ code: 2 });
    await cli('feedback', 'export', join(folder.path, 'pairs'), '--as', 'pairs');
    const pairs = readFileSync(join(folder.path, 'pairs', 'pairs.jsonl'), 'utf8');
    expect(JSON.parse(pairs)).toEqual({
      question: QUESTION,
      positive: expect.stringContaining('cellar'),
      negatives: [],
    });
    await client.ask(`mutation { deleteDocuments(filter: { ids: ["${boiler}"] }) { __typename } }`);
    expect((await ask()).text).not.toContain('cellar');
    await until(async () => {
      const lines = await client.get('/api/v1/feedback/export?as=set');
      return (await lines.text()) === '';
    });
  }, 60_000);
});
