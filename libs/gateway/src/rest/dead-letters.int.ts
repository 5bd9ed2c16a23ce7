import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '@postmaster/contracts';
import { deadLetterServices, OTHER, WHY } from '../../test/dead-letter-services.js';
import { ADMIN_KEY, KEYS } from '../../test/stand-in-services.js';
import type { Gateway } from '../index.js';

const services = await deadLetterServices();
const { bury, fate, handled } = services;
const schemas = ['ingestion', 'enrichment', 'embedding'] as const;
let gateway: Gateway;
let url: string;
beforeAll(async () => {
  gateway = await services.start();
  url = await gateway.listen();
});
afterAll(async () => {
  await gateway.close();
  await services.close();
});
beforeEach(() => services.forget());

const ask = async (key: string, path = '', method = 'GET', body?: unknown) => {
  const response = await fetch(`${url}/api/v1/dead-letters${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};
const documentsOf = ({ body }: Awaited<ReturnType<typeof ask>>): string[] =>
  body.deadLetters.map((letter: { document: string }) => letter.document);
const addressOf = async (document: string): Promise<string> => {
  const { body } = await ask(ADMIN_KEY, `?document=${document}`);
  return `${body.deadLetters[0].service}/${body.deadLetters[0].id}`;
};

describe('GET /dead-letters', () => {
  it('gives those of all services, newest first, page by page', async () => {
    for (const [i, service] of [...schemas, ...schemas, ...schemas].entries()) await bury(service, `d${i}`);
    const whole = await ask(KEYS.acme);
    expect(documentsOf(whole)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0].map((i) => `d${i}`));
    expect(whole.body).toMatchObject({ next: null, notices: [] });
    expect(whole.body.deadLetters[0]).toEqual({
      ...{ id: expect.any(String), service: 'embedding', tenant: 'acme', source: 'event', name: 'embedding.consumer' },
      ...{ document: 'd8', why: WHY, attempts: 1, buriedAt: expect.any(String) },
    });
    const paged: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      const page = await ask(KEYS.acme, `?first=2${after && `&after=${after}`}`);
      paged.push(...documentsOf(page));
      after = page.body.next as string | null;
    }
    expect(paged).toEqual(documentsOf(whole));
  });

  it('is narrowed by service, name and document', async () => {
    for (const service of schemas) await bury(service, service);
    expect(documentsOf(await ask(KEYS.acme, '?service=enrichment'))).toEqual(['enrichment']);
    expect(documentsOf(await ask(KEYS.acme, '?name=embedding.consumer'))).toEqual(['embedding']);
    expect(documentsOf(await ask(KEYS.acme, '?source=job'))).toEqual([]);
    expect((await ask(KEYS.acme, '?service=gateway')).body).toMatchObject({ code: 'INPUT_INVALID', field: 'service' });
    expect((await ask(KEYS.acme, '?after=nonsense')).body).toMatchObject({ code: 'INPUT_INVALID', field: 'after' });
  });

  it('says which service does not answer, beside the rest', async () => {
    for (const service of schemas) await bury(service, service);
    fate.absent = 'enrichment';
    const told = await ask(KEYS.acme);
    expect(told.status).toBe(200);
    expect(documentsOf(told)).toEqual(['embedding', 'ingestion']);
    expect(told.body.notices).toEqual([
      expect.objectContaining({ service: 'enrichment', code: 'SERVICE_UNAVAILABLE', next: expect.any(String) }),
    ]);
  });
});

describe('whose dead letters', () => {
  it('are shown, sent again and dropped holds by tenant: another’s key gets nothing', async () => {
    await bury('ingestion', 'd1');
    const address = await addressOf('d1');
    expect(documentsOf(await ask(KEYS.other))).toEqual([]);
    expect(documentsOf(await ask(KEYS.other, '?tenant=acme'))).toEqual([]);
    expect(await ask(KEYS.other, `/${address}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await ask(KEYS.other, '/retry', 'POST', { ids: [address] })).body).toMatchObject({
      ...{ retried: 0, failed: 1, failures: [{ service: 'ingestion', why: { code: 'NOT_FOUND' } }] },
    });
    expect((await ask(KEYS.other, '/retry', 'POST', { filter: { tenant: 'acme' } })).body).toMatchObject({
      retried: 0,
    });
    expect(await ask(KEYS.other, `/${address}`, 'DELETE')).toMatchObject({ status: 404 });
    expect(documentsOf(await ask(KEYS.acme))).toEqual(['d1']);
    expect(handled).toEqual([]);
  });

  it('needs the scope admin, and a key', async () => {
    await bury('ingestion', 'd1');
    const address = await addressOf('d1');
    for (const [path, method, body] of [
      ['', 'GET', undefined],
      [`/${address}`, 'GET', undefined],
      ['/retry', 'POST', { ids: [address] }],
      [`/${address}`, 'DELETE', undefined],
    ] as const) {
      expect(await ask(KEYS.reader, path, method, body)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect(await ask('nobody', path, method, body)).toMatchObject({ status: 401, body: { code: 'KEY_INVALID' } });
    }
  });

  it('for the operator are those of all tenants, and of none', async () => {
    await bury('ingestion', 'd1');
    await bury('enrichment', 'd2', OTHER);
    await services.buryMessage('embedding');
    const { body } = await ask(ADMIN_KEY);
    expect(body.deadLetters.map(({ tenant }: { tenant: string | null }) => tenant)).toEqual([null, 'other', 'acme']);
    expect(documentsOf(await ask(ADMIN_KEY, '?tenant=other'))).toEqual(['d2']);
  });
});

describe('a dead letter', () => {
  it('is shown with what it is about', async () => {
    await bury('embedding', 'd1');
    const { body } = await ask(KEYS.acme, `/${await addressOf('d1')}`);
    expect(body).toMatchObject({ document: 'd1', cut: false, payload: { data: { document: 'd1', version: 1 } } });
    expect(await ask(KEYS.acme, `/ingestion/${newId()}`)).toMatchObject({ status: 404 });
    expect(await ask(KEYS.acme, '/ingestion/x')).toMatchObject({ status: 400, body: { field: 'id' } });
  });

  it('sent again is handled once by its consumer, and is gone from the list', async () => {
    await bury('embedding', 'd1');
    await bury('embedding', 'd2');
    const ids = [await addressOf('d1')];
    expect(await ask(KEYS.acme, '/retry', 'POST', { ids })).toEqual({
      ...{ status: 200, body: { retried: 1, failed: 0, failures: [], more: false, notices: [] } },
    });
    expect((await ask(KEYS.acme, '/retry', 'POST', { ids })).body).toMatchObject({ retried: 0, failed: 1 });
    expect(handled).toEqual(['embedding d1']);
    expect(documentsOf(await ask(KEYS.acme))).toEqual(['d2']);
  });

  it('is sent again with all others of a filter, but for those of a service that does not answer', async () => {
    for (const service of schemas) await bury(service, service);
    await bury('ingestion', 'theirs', OTHER);
    fate.absent = 'embedding';
    expect((await ask(KEYS.acme, '/retry', 'POST', { filter: {} })).body).toMatchObject({
      ...{ retried: 2, failed: 0, notices: [{ service: 'embedding', code: 'SERVICE_UNAVAILABLE' }] },
    });
    expect(handled.sort()).toEqual(['enrichment enrichment', 'ingestion ingestion']);
    delete fate.absent;
    expect(documentsOf(await ask(ADMIN_KEY)).sort()).toEqual(['embedding', 'theirs']);
  });

  it('is not sent again by a request that does not say which', async () => {
    for (const body of [{}, { ids: [] }, { ids: ['ingestion/x'] }, { ids: [newId()] }, { filter: { colour: 'red' } }])
      expect(await ask(KEYS.acme, '/retry', 'POST', body)).toMatchObject({
        ...{ status: 400, body: { code: 'INPUT_INVALID' } },
      });
  });

  it('is dropped for good', async () => {
    await bury('embedding', 'd1');
    const address = await addressOf('d1');
    const [service, id] = address.split('/');
    expect(await ask(KEYS.acme, `/${address}`, 'DELETE')).toEqual({ status: 200, body: { service, id } });
    expect(documentsOf(await ask(KEYS.acme))).toEqual([]);
    expect(await ask(KEYS.acme, `/${address}`, 'DELETE')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('is in the description of the API', async () => {
    const { paths } = await (await fetch(`${url}/api/v1/openapi.json`)).json();
    expect(Object.keys(paths['/api/v1/dead-letters/{service}/{id}'])).toEqual(['get', 'delete']);
    const [service, id] = paths['/api/v1/dead-letters/{service}/{id}'].get.parameters;
    expect([service.name, id.name]).toEqual(['service', 'id']);
    expect(paths['/api/v1/dead-letters/retry'].post.requestBody.content['application/json'].schema.anyOf).toHaveLength(
      2,
    );
  });
});
