import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, KEYS, StandInServices } from '../test/stand-in-services.js';
import type { Gateway } from './index.js';

const services = new StandInServices();
let gateway: Gateway;
let url: string;

beforeAll(async () => {
  gateway = await services.start();
  url = await gateway.listen();
});
afterAll(() => gateway.close());

const graphql = async (query: string, headers: Record<string, string> = { 'x-api-key': KEYS.acme }, variables = {}) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

describe('the front door', () => {
  it('asks who is there before anything else', async () => {
    const { status, body } = await graphql('{ documents { totalCount } }', {});
    expect(status).toBe(401);
    expect(body.errors[0].extensions).toMatchObject({ code: 'KEY_MISSING', requestId: expect.any(String) });
  });

  it('refuses a key that is wrong or revoked, in REST with a problem', async () => {
    const wrong = await fetch(`${url}/api/v1/documents`, { headers: { authorization: 'Bearer nonsense' } });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('content-type')).toContain('application/problem+json');
    expect(await wrong.json()).toMatchObject({ code: 'KEY_INVALID', status: 401, next: expect.any(String) });

    services.revoked.add(KEYS.other);
    const revoked = await graphql('{ documents { totalCount } }', { authorization: `Bearer ${KEYS.other}` });
    services.revoked.clear();
    expect(revoked.body.errors[0].extensions.code).toBe('KEY_INVALID');
  });

  it('takes the key from either header', async () => {
    const ways: Record<string, string>[] = [{ 'x-api-key': KEYS.acme }, { authorization: `Bearer ${KEYS.acme}` }];
    for (const headers of ways)
      expect((await graphql('{ documents { totalCount } }', headers)).body.data).toEqual({
        documents: { totalCount: 0 },
      });
  });

  it('lets no header from outside become an identity', async () => {
    const forged = await services.seal.sign({ tenant: 'acme' as never, subject: 'x', scopes: ['read'] });
    const { body } = await graphql('{ documents { totalCount } }', { authorization: `Bearer ${forged}` });
    expect(body.errors[0].extensions.code).toBe('KEY_INVALID');
  });

  it("gives the operator's key the operator's scope and no tenant's documents", async () => {
    const { body } = await graphql('{ documents { totalCount } }', { 'x-api-key': ADMIN_KEY });
    expect(body.data.documents.totalCount).toBe(0);
  });

  it('gives what there is when a service is absent, with a code for the rest', async () => {
    const { status, body } = await graphql('{ documents { totalCount } tenant { name } }');
    expect(status).toBe(200);
    expect(body.data).toEqual({ documents: { totalCount: 0 }, tenant: null });
    expect(body.errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('tenants'),
        extensions: { code: 'SERVICE_UNAVAILABLE', next: expect.any(String), requestId: expect.any(String) },
      }),
    ]);
  });

  it('gives what there is when the time is up, with a code for the rest', async () => {
    const hasty = await services.start({ operationTimeoutMs: 300 });
    const address = await hasty.listen();
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEYS.acme },
      body: JSON.stringify({ query: '{ document(id: "never") { id } search(query: "When?") { hits { score } } }' }),
    });
    const { data, errors } = await response.json();
    await hasty.close();
    expect(data).toEqual({ document: null, search: { hits: [{ score: 1 }] } });
    expect(errors[0].extensions.code).toBe('TIMED_OUT');
  });

  it('masks what was not expected, and logs it under the request id', async () => {
    const { body, headers } = await graphql('{ document(id: "boom") { id } }');
    expect(JSON.stringify(body)).not.toMatch(/secret|internal\.ts|stack/);
    expect(body.errors[0].extensions.code).toBe('INTERNAL');
    const line = services.lines.find((logged) => logged.includes('secret detail'));
    expect(line).toContain(headers.get('x-request-id'));
  });

  it('says what is wrong with a query as INPUT_INVALID', async () => {
    for (const query of [
      '{ nothing }',
      '{',
      '{ document(id: "1") { paragraphs(first: 100) { nodes { document { paragraphs(first: 100) { nodes { document { paragraphs(first: 100) { nodes { id } } } } } } } } } }',
    ])
      expect((await graphql(query)).body.errors[0].extensions.code).toBe('INPUT_INVALID');
    const notJson = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEYS.acme },
      body: '{',
    });
    expect((await notJson.json()).errors[0].extensions.code).toBe('INPUT_INVALID');
  });

  it.each([
    [
      'a field that no filter has',
      'query ($f: SearchFilter) { search(query: "a", filter: $f) { tookMs } }',
      { author: 'x' },
    ],
    ['one written out', '{ search(query: "a", filter: { author: "x" }) { tookMs } }', undefined],
    ['one of documents', 'query ($f: DocumentFilter) { documents(filter: $f) { totalCount } }', { author: 'x' }],
  ])('refuses %s with those that it has, and their types', async (_, query, f) => {
    const { code, message } = await graphql(query, undefined, { f }).then(({ body }) => ({
      ...body.errors[0],
      ...body.errors[0].extensions,
    }));
    expect(code).toBe('FILTER_INVALID');
    expect(message).toMatch(/"author".* Known: .*addedFrom \(DateTime\)/);
  });

  it('refuses a condition on a field that a plan does not know, with those that it knows', async () => {
    const options = { plan: { searchText: 'a', conditions: [{ field: 'AUTHOR', equals: 'x' }] } };
    const query = 'query ($o: SearchOptions) { search(query: "a", options: $o) { tookMs } }';
    const [error] = (await graphql(query, undefined, { o: options })).body.errors;
    expect(error.extensions.code).toBe('FILTER_INVALID');
    expect(error.message).toContain('Known: COLLECTION, SOURCE_TYPE, CONTENT_TYPE, LANGUAGE, CREATED');
  });

  it('refuses a value that a scalar of a service refuses, as the caller’s fault', async () => {
    const { body } = await graphql('query ($f: DocumentFilter) { documents(filter: $f) { totalCount } }', undefined, {
      f: { addedFrom: 'last Tuesday' },
    });
    expect(body.errors[0].extensions.code).toBe('INPUT_INVALID');
    expect(body.errors[0].message).toContain('ISO 8601');
  });

  it('answers introspection, and gives a decent request id back', async () => {
    const { body, headers } = await graphql('{ __schema { subscriptionType { fields { name } } } }', {
      'x-api-key': KEYS.acme,
      'x-request-id': 'my-id.1',
    });
    expect(body.data.__schema.subscriptionType.fields.map(({ name }: { name: string }) => name).sort()).toEqual([
      'answer',
      'document',
    ]);
    expect(headers.get('x-request-id')).toBe('my-id.1');
    const odd = await graphql('{ documents { totalCount } }', { 'x-api-key': KEYS.acme, 'x-request-id': 'a b<c>' });
    expect(odd.headers.get('x-request-id')).not.toBe('a b<c>');
  });

  it('shows GraphiQL to a browser, with nothing from another host', async () => {
    const response = await fetch(`${url}/graphql`, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    const html = await response.text();
    expect(html).toContain('YogaGraphiQL');
    expect(html.replace(/<script>[\s\S]*<\/script>|<style>[\s\S]*?<\/style>/g, '')).not.toMatch(
      /(src|href)="(https?:)?\/\//,
    );
    expect(response.headers.get('content-security-policy')).toContain("connect-src 'self'");
  });

  it('lets pages of listed origins call with a key, and of no other', async () => {
    const open = await services.start({ corsOrigins: ['https://app.example'] });
    const address = await open.listen();
    const preflight = (origin: string) => fetch(`${address}/graphql`, { method: 'OPTIONS', headers: { origin } });
    const listed = await preflight('https://app.example');
    expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example']);
    expect(listed.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await preflight('https://other.example')).headers.get('access-control-allow-origin')).toBeNull();
    await open.close();
  });

  it('is alive and ready without any service', async () => {
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('sends pages and scripts with a strict policy, and problems for what is not there', async () => {
    const page = await fetch(`${url}/`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await page.text()).toContain('<title>Postmaster');
    const nothing = await fetch(`${url}/api/v1/nothing`);
    expect(await nothing.json()).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it('describes REST in OpenAPI 3.1, with a page that is served from here', async () => {
    const description = await (await fetch(`${url}/api/v1/openapi.json`)).json();
    expect(description.openapi).toBe('3.1.0');
    expect(Object.keys(description.paths)).toContain('/api/v1/query');
    const page = await (await fetch(`${url}/api/v1/docs`)).text();
    for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await fetch(url + address)).status).toBe(200);
  });

  it('describes the Idempotency-Key of every operation that writes, and of no other', async () => {
    const { paths } = await (await fetch(`${url}/api/v1/openapi.json`)).json();
    const keyed = (path: string, method: string): boolean =>
      paths[path][method].parameters.some(({ name }: { name: string }) => name === 'Idempotency-Key');
    for (const path of Object.keys(paths)) if ('get' in paths[path]) expect(keyed(path, 'get')).toBe(false);
    for (const path of [
      '/api/v1/documents',
      '/api/v1/folders',
      '/api/v1/feedback',
      '/api/v1/mail',
      '/documents/upload',
    ])
      expect([path, keyed(path, 'post')]).toEqual([path, true]);
    expect(keyed('/api/v1/ask', 'post')).toBe(false);
    expect(keyed('/api/v1/tenants/{id}', 'delete')).toBe(true);
  });

  it('says that its port is taken, and what to do', async () => {
    const second = await services.start({ port: Number(new URL(url).port) });
    await expect(second.listen()).rejects.toMatchObject({ code: 'PORT_TAKEN', next: expect.stringContaining('PORT') });
    await second.close();
  });
});
