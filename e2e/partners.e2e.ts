import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { CLUSTER } from './joined-server.js';
import { type Fields, formOf, OURS, postTo, REFUSED_INGESTS, STORE } from './partner-requests.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const ADMIN = 'operators-key-of-the-test';
const folder = temporaryFolder();
let server: ServerProcess;
let ours: Client;
let site: Server;
let siteUrl: string;

const post = (path: string, body: FormData | string, headers: Fields = {}, key = server.key) =>
  postTo(server, key, path, body, headers);

const MEMO = { name: 'memo.md', text: '# Memo\n\nThe ferry to Samsø leaves Hou at seven in the morning.' };

beforeAll(async () => {
  site = createServer((_req, res) =>
    res.setHeader('content-type', 'text/html').end('<p>The museum shuts at five.</p>'),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  server = await startServer(folder.path, {
    ...{ POSTMASTER_ADMIN_KEY: ADMIN, ENCODER_THREADS: '1', ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
  });
  ours = clientOf(server, server.key);
}, 120_000);
afterAll(async () => {
  await server?.end();
  site.close();
  folder.remove();
});

describe('POST /api/v1/ingest', () => {
  it('takes a file in, with its kind as metadata, and says where to follow it', async () => {
    const { status, headers, body } = await post(
      '/api/v1/ingest',
      formOf({ tenant_id: server.tenant, doc_type: 'memo', metadata: '{"year":2026}' }, MEMO),
    );
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`/api/v1/documents/${body.id}`);
    expect(body.links.status).toBe(`/api/v1/documents/${body.id}`);
    expect((await follow(ours, body.id)).status).toBe('READY');
    const { metadata } = await (await ours.get(body.links.status)).json();
    expect(metadata).toMatchObject({ doc_type: 'memo', year: 2026 });
  });

  it('takes an address in place of a file, the guarded way', async () => {
    const { status, body } = await post(
      '/api/v1/ingest',
      formOf({ tenant_id: server.tenant, document: `${siteUrl}/hours` }),
    );
    expect(status).toBe(202);
    const { sourceType, sourceId } = await (await ours.get(body.links.status)).json();
    expect({ sourceType, sourceId }).toEqual({ sourceType: 'url', sourceId: `${siteUrl}/hours` });
    for (const document of ['http://[::1]:9/x', 'http://169.254.169.254/latest', 'file:///etc/passwd', 'no address']) {
      const refused = await post('/api/v1/ingest', formOf({ tenant_id: server.tenant, document }));
      expect({ document, ...refused }).toMatchObject({ document, status: 422, body: { code: 'URL_REFUSED' } });
    }
  });

  it.each([
    ['the encoder by its name', { 'encoding_model[model]': 'sentence-transformers/all-MiniLM-L6-v2' }],
    ['the store', { 'vector_db[type]': STORE.name }],
    ['that no model makes facets', { 'llm_model[model]': 'extractive' }],
  ])("takes what is so of the tenant's models: %s", async (_what, stated) => {
    expect((await post('/api/v1/ingest', formOf({ tenant_id: server.tenant, ...stated }, MEMO))).status).toBe(202);
  });

  it.each(REFUSED_INGESTS)('refuses %s and keeps nothing', async (_what, fields, status, problem) => {
    const given = { ...fields, ...(fields.tenant_id === OURS && { tenant_id: server.tenant }) };
    const refused = await post('/api/v1/ingest', formOf(given, { name: 'x.md', text: `Never kept: ${_what}` }));
    expect(refused).toMatchObject({ status, body: problem });
    expect(JSON.stringify(refused.body) + server.output()).not.toContain('sk-canary');
    const { total } = await (await ours.get('/api/v1/documents?titleContains=Never')).json();
    expect(total).toBe(0);
  });
});

describe.each(['/documents/upload', '/api/v1/documents/upload'])('POST %s', (path) => {
  it('keeps its other fields as metadata', async () => {
    const { status, body } = await post(path, formOf({ sourceId: path, vendor: 'Aarhus Boats' }, MEMO));
    expect(status).toBe(202);
    expect(await (await ours.get(body.links.status)).json()).toMatchObject({ metadata: { vendor: 'Aarhus Boats' } });
  });

  // what a bucket of NATS does with half an object is for its own tests, and other files of a cluster write to it
  (CLUSTER ? it.skip : it)('leaves no bytes behind when it is cut off', async () => {
    const blobs = () => readdirSync(join(server.kept, 'blobs'), { recursive: true, withFileTypes: true });
    const kept = () => blobs().filter((entry) => entry.isFile()).length;
    const before = kept();
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${server.key}\r\ncontent-length: 900000\r\n` +
        'content-type: multipart/form-data; boundary=b\r\n\r\n' +
        `--b\r\ncontent-disposition: form-data; name="document"; filename="cut.txt"\r\n\r\n${'half a file '.repeat(9_000)}`,
    );
    while (kept() === before) await new Promise((resolve) => setTimeout(resolve, 20)); // its first bytes are there
    socket.destroy();
    for (let i = 0; i < 250 && kept() > before; i++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(kept()).toBe(before);
  });
});

describe('GET /api/v1/query', () => {
  it('gives the answer, its paragraphs and their scores, as many as n or first says', async () => {
    for (const asked of ['n=1', 'first=1']) {
      const response = await ours.get(`/api/v1/query?query=When+does+the+ferry+to+Sams%C3%B8+leave%3F&${asked}`);
      const { answer, paragraphs, scores, found } = await response.json();
      expect({ found, answer }).toEqual({ found: true, answer: expect.stringContaining('seven') });
      expect(paragraphs).toEqual([expect.objectContaining({ text: expect.stringContaining('Hou'), score: scores[0] })]);
    }
  });
});

describe('POST /api/v1/init', () => {
  const SECRET = 'sk-canary-of-the-partner-x7Qd';
  let models: ModelServer;
  let partner: Client;
  let partnersKey: string;
  const llm = (more: object = {}) => ({ model: 'stand-in', url: `${models.url}/v1`, api_key: SECRET, ...more });
  const init = (body: object, headers: Fields = {}, key = ADMIN) =>
    post('/api/v1/init', JSON.stringify(body), headers, key);

  beforeAll(async () => {
    models = await startModelServer({ apiKey: SECRET });
  });
  afterAll(() => models.close());

  it.each<[string, () => object, number, object]>([
    [
      'an address in a private network',
      () => ({ llm_model: llm({ url: 'http://10.1.2.3/v1' }) }),
      422,
      { detail: expect.stringContaining('public internet') },
    ],
    [
      'a model that does not answer',
      () => ({ llm_model: llm({ url: 'http://127.0.0.1:9/v1' }) }),
      422,
      { detail: expect.stringContaining('llm_model does not work') },
    ],
    [
      'a key that the model refuses',
      () => ({ llm_model: llm({ api_key: 'sk-canary-wrong' }) }),
      422,
      { field: 'llm_model' },
    ],
    [
      'a fallback that does not answer',
      () => ({ llm_model: llm({ fallbacks: [{ model: 'stand-in', url: 'http://127.0.0.1:9/v1' }] }) }),
      422,
      { field: 'llm_model.fallbacks.0' },
    ],
    [
      'an encoder of its own',
      () => ({ encoding_model: { model: 'bge-m3' } }),
      422,
      { detail: expect.stringContaining('not supported yet') },
    ],
    [
      'a store of its own',
      () => ({ vector_db: { type: STORE.other, url: 'http://127.0.0.1:6333' } }),
      422,
      { field: 'vector_db' },
    ],
    ['an unknown field', () => ({ vector_database: {} }), 400, { code: 'INPUT_INVALID' }],
  ])('refuses %s, and makes no tenant', async (_what, parts, status, problem) => {
    const refused = await init({ tenant_id: 'partner', ...parts() });
    expect(refused).toMatchObject({ status, body: problem });
    if (status === 422) expect(refused.body.code).toBe('PROFILE_REFUSED');
    expect(JSON.stringify(refused.body)).not.toContain('sk-canary');
  });

  it("is the operator's", async () => {
    expect(await init({ tenant_id: 'partner' }, {}, server.key)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });

  it('makes a tenant with its key and models that were asked, once for its Idempotency-Key', async () => {
    const body = {
      ...{ tenant_id: 'partner', vector_db: { type: STORE.name } },
      ...{ encoding_model: { model: 'all-MiniLM-L6-v2' }, llm_model: llm({ fallbacks: [llm({ model: 'other' })] }) },
    };
    const made = await init(body, { 'idempotency-key': 'init-1' });
    expect(made).toMatchObject({ status: 201, body: { tenant: { id: 'partner' }, profile: { version: 1 } } });
    expect(made.body.profile.llmModel).toEqual({
      ...{ model: 'stand-in', url: `${models.url}/v1`, apiKey: '…x7Qd' },
      fallbacks: [{ model: 'other', url: `${models.url}/v1`, apiKey: '…x7Qd' }],
    });
    expect(made.body.profile.checks.map(({ part, ok }: { part: string; ok: boolean }) => [part, ok])).toEqual([
      ...[
        ['vector_db', true],
        ['encoding_model', true],
        ['llm_model', true],
        ['llm_model.fallbacks.0', true],
      ],
    ]);
    expect((await init(body, { 'idempotency-key': 'init-1' })).body).toEqual(made.body);
    expect((await init(body)).body).toMatchObject({ code: 'CONFLICT' });
    partnersKey = made.body.key.secret;
    partner = clientOf(server, partnersKey);
  });

  it('takes a form too', async () => {
    const form = formOf({ tenant_id: 'by-form', 'llm_model[model]': 'stand-in', 'llm_model[url]': 'http://10.0.0.1' });
    expect((await post('/api/v1/init', form, {}, ADMIN)).body).toMatchObject({ code: 'PROFILE_REFUSED' });
    expect((await post('/api/v1/init', formOf({ tenant_id: 'by-form' }), {}, ADMIN)).status).toBe(201);
  });

  it("has the tenant's facets and answers made by its own model, and nobody else's", async () => {
    models.forget();
    const { body } = await partner.upload('ferry.md', MEMO.text);
    expect((await follow(partner, String(body.id))).status).toBe('READY');
    expect(models.paragraphs).toEqual([expect.stringContaining('Hou')]);
    const asked = '/api/v1/query?query=When+does+the+ferry+to+Sams%C3%B8+leave%3F';
    expect(await (await partner.get(asked)).json()).toMatchObject({ model: 'openai:stand-in' });
    expect(await (await ours.get(asked)).json()).toMatchObject({ model: 'extractive' });
  });

  it('compares what an ingest says with it', async () => {
    const ingest = (stated: Fields) =>
      post('/api/v1/ingest', formOf({ tenant_id: 'partner', ...stated }, MEMO), {}, partnersKey);
    const said = {
      'llm_model[model]': 'stand-in',
      'llm_model[url]': `${models.url}/v1/`,
      'llm_model[api_key]': SECRET,
    };
    expect((await ingest(said)).status).toBe(202);
    expect((await ingest({ ...said, 'llm_model[api_key]': 'sk-canary-other' })).body).toMatchObject({
      code: 'PROFILE_MISMATCH',
    });
  });

  it('shows the profile to its own tenant alone, and its secret to nobody', async () => {
    const PROFILE = '{ modelProfile { version llmModel { apiKey } } }';
    expect(await partner.ask(PROFILE)).toEqual({ modelProfile: { version: 1, llmModel: { apiKey: '…x7Qd' } } });
    expect(await ours.ask(PROFILE)).toEqual({ modelProfile: null });
    const kept = readdirSync(server.kept, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes('sk-canary'));
    expect(kept.map(({ name }) => name)).toEqual([]);
    expect(server.output()).not.toContain('sk-canary');
    if (!CLUSTER) expect(statSync(join(server.kept, 'secrets-key')).mode & 0o777).toBe(0o600);
  });

  it("is changed by setModelProfile, which null takes back to the server's own", async () => {
    const set = (input: object) =>
      partner.ask<{ setModelProfile: object }>(
        `mutation($input: ModelProfileInput!) { setModelProfile(input: $input) {
           ... on ModelProfile { version vectorDb { type } llmModel { model } } ... on Refused { code field } } }`,
        { input },
      );
    const refused = await set({ llmModel: { model: 'stand-in', url: 'http://192.168.1.1' } });
    expect(refused.setModelProfile).toEqual({ code: 'PROFILE_REFUSED', field: 'llm_model' });
    expect((await set({ llmModel: null })).setModelProfile).toEqual({
      ...{ version: 2, vectorDb: { type: STORE.type }, llmModel: null },
    });
  });
});

describe('the OpenAPI page', () => {
  it('describes what partners call, with examples', async () => {
    const { paths } = await (await fetch(`${server.url}/api/v1/openapi.json`)).json();
    for (const path of ['/api/v1/init', '/api/v1/ingest', '/documents/upload', '/api/v1/documents/upload']) {
      const [content] = Object.values<object>(paths[path].post.requestBody.content);
      expect('example' in content! || 'examples' in content!).toBe(true);
      const { responses } = paths[path].post;
      expect((responses['202'] ?? responses['201']).content['application/json'].example).toBeDefined();
    }
    expect(paths['/api/v1/query'].get.responses['200'].content['application/json'].example.scores).toHaveLength(1);
  });
});
