import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EmbeddingServer,
  type ModelServer,
  startEmbeddingServer,
  startModelServer,
  until,
} from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const CLI = fileURLToPath(new URL('../apps/cli/dist/main.js', import.meta.url));
const folder = temporaryFolder();
let server: ServerProcess;
let client: Client;
let model: ModelServer;
let encoder: EmbeddingServer;
let lease: string;
let leave: string;

const SHOWN = `task language version instructions rules isOwn needs system tried { model facets { context } }`;
const SET = `mutation($input: SetPromptInput!) { setPrompt(input: $input) {
  __typename ... on Prompt { ${SHOWN} } ... on Refused { code message next field } } }`;
const FACETS = `query($id: ID!) { document(id: $id) { paragraphs { nodes { facets { promptVersion } } } } }`;
const ENRICH = `mutation($filter: DocumentFilter!) { enrichDocuments(filter: $filter) {
  ... on Job { total } ... on Refused { code } } }`;
const SEARCH = `{ search(query: "Hvor længe er Vestbankens opsigelse?") { hits {
  paragraph { document { id } } why { leg text } } } }`;

interface Shown {
  __typename: string;
  version: string;
  system: string;
  code: string;
}
interface Found {
  search: { hits: { paragraph: { document: { id: string } }; why: { leg: string; text: string | null }[] }[] };
}

const cli = async (...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH, HOME: folder.path, POSTMASTER_URL: server.url, POSTMASTER_API_KEY: server.key };
  return (await promisify(execFile)(process.execPath, [CLI, 'prompt', ...args], { env })).stdout;
};
const set = async (input: object): Promise<Shown> =>
  (await client.ask<{ setPrompt: Shown }>(SET, { input: { task: 'FACETS', language: 'DA', ...input } })).setPrompt;
const madeWith = async (id: string): Promise<(string | undefined)[]> => {
  type Read = { document: { paragraphs: { nodes: { facets: { promptVersion: string } | null }[] } } };
  const { document } = await client.ask<Read>(FACETS, { id });
  return document.paragraphs.nodes.map(({ facets }) => facets?.promptVersion);
};
const enrich = async (filter: object): Promise<number | undefined> =>
  (await client.ask<{ enrichDocuments: { total?: number } }>(ENRICH, { filter })).enrichDocuments.total;
/** Legs of facets that tell for the best hit. */
const legsOfBest = async (): Promise<string[]> => {
  const [best] = (await client.ask<Found>(SEARCH)).search.hits;
  expect(best?.paragraph.document.id).toBe(lease);
  return (best?.why ?? []).map(({ leg }) => leg);
};
const ingest = async (name: string, text: string, collection: string): Promise<string> => {
  const id = String((await client.upload(name, text, { collection })).body.id);
  expect((await follow(client, id)).status).toBe('READY');
  return id;
};

beforeAll(async () => {
  [model, encoder] = await Promise.all([startModelServer({ latencyMs: 5 }), startEmbeddingServer()]);
  server = await startServer(folder.path, {
    ...{ LLM_PROVIDER: 'openai', LLM_URL: `${model.url}/v1`, LLM_MODEL: 'stand-in' },
    ...{ ENCODER_PROVIDER: 'openai', ENCODER_URL: `${encoder.url}/v1`, ENCODER_MODEL: 'stand-in' },
  });
  client = clientOf(server, server.key);
  const terms =
    'Lejeren kan opsige aftalen med tre måneders varsel, hvis Vestbanken får besked skriftligt inden den første.';
  lease = await ingest('scan.md', `# Lejekontrakt\n\n${terms}`, 'contracts');
  leave = await ingest(
    'Orlov.md',
    'Forældre har fireogtyve ugers orlov med fuld løn, som holdes inden barnet fylder ni.',
    'staff',
  );
}, 120_000);
afterAll(async () => {
  await server.end();
  await Promise.all([model.close(), encoder.close()]);
  folder.remove();
});

describe('prompts', () => {
  it('are read from the files beside what runs, by language and type of the document', async () => {
    expect(await madeWith(lease)).toEqual([expect.stringMatching(/^facets-3\/da\/contract-1@[0-9a-f]{8}$/)]);
    expect(await madeWith(leave)).toEqual([expect.stringMatching(/^facets-3\/da@/)]);
    const { prompts } = await client.ask<{ prompts: Shown[] }>(`{ prompts { ${SHOWN} } }`);
    expect(prompts).toHaveLength(6);
    const asked = model.calls.find(({ asked }) => asked.kind === 'facets' && asked.paragraph.includes('orlov'));
    expect(prompts.map(({ system }) => system)).toContain(asked?.system);
  });

  it('of a tenant that can not be used are refused with why and what next', async () => {
    expect(await set({ instructions: 'Spørg om datoer. {{data}} {{key}}' })).toMatchObject({
      ...{ __typename: 'Refused', code: 'PROMPT_REFUSED', field: 'instructions' },
      message: expect.stringMatching(/unknown placeholder \{\{key\}\}.*\{\{reply\}\} is missing/),
      next: expect.stringContaining('{{reply}}'),
    });
    model.behaviour.fault = { kind: 'garbage' };
    expect(await set({ rules: 'Svar på vers.' })).toMatchObject({ code: 'PROMPT_REFUSED', next: expect.any(String) });
    model.behaviour.fault = undefined;
  });

  it('of a tenant change what is asked for anew, and nothing else; searches and vectors of the same texts stay', async () => {
    const [before] = await madeWith(lease);
    const legs = await legsOfBest();
    expect(legs).toContain('SIMPLE_QUESTIONS');
    const prompt = await set({ rules: 'Spørg altid om frister.' });
    expect(prompt).toMatchObject({ isOwn: true, tried: { model: 'openai:stand-in' } });
    model.forget();
    const encoded = encoder.calls.length;
    model.behaviour.latencyMs = 1_500;
    expect(await enrich({ collection: 'contracts' })).toBe(1);
    await until(() => model.running > 0);
    expect([await madeWith(lease), await legsOfBest()]).toEqual([[before], legs]); // while the model is at it
    await until(async () => (await madeWith(lease))[0] !== before);
    model.behaviour.latencyMs = 5;
    expect(await madeWith(lease)).toEqual([expect.stringMatching(/^facets-3\+own-1\/da\/contract-1@/)]);
    expect(await madeWith(leave)).toEqual([expect.stringMatching(/^facets-3\/da@/)]);
    expect(await legsOfBest()).toEqual(legs);

    const all = { status: ['PARSED', 'SEARCHABLE', 'READY'] };
    expect(await enrich(all)).toBe(2); // the whole tenant, of which what was made with it stays
    await until(async () => (await madeWith(leave))[0] === prompt.version);
    expect(model.paragraphs).toHaveLength(2);
    expect((await follow(client, leave)).status).toBe('READY');
    const texts = encoder.calls.slice(encoded).flatMap(({ texts }) => texts);
    expect(texts.filter((text) => !text.includes('Vestbankens'))).toEqual([]); // but the questions of the searches
  });

  it('are shown, tried, set and taken back from the command line', async () => {
    const file = join(folder.path, 'rules.md');
    writeFileSync(file, 'Name the tenant.\n');
    const tried = await cli('set', 'facets', 'en', '--rules', file, '--dry-run');
    expect(tried).toMatch(/^facets-3\+own-1\/en@.*Name the tenant\.\n\nopenai:stand-in wrote of a sample:\n/s);
    expect(await cli('show')).toMatch(/^facets +en +facets-3\/en@[0-9a-f]{8} +the product's$/m);
    expect(await cli('show', 'facets', 'da')).toContain('Spørg altid om frister.');
    expect(JSON.parse(await cli('reset', 'facets', 'da', '--json'))).toMatchObject({ isOwn: false, rules: null });
    await expect(cli('set', 'facets', 'en')).rejects.toMatchObject({ code: 2 });
    writeFileSync(file, '{{reply}}');
    await expect(cli('set', 'facets', 'en', '--rules', file)).rejects.toMatchObject({
      stderr: expect.stringMatching(/PROMPT_REFUSED[^]*plain text/),
    });
  });
});
