import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { clientOf } from './client.js';
import { startProcess, temporaryFolder } from './server-process.js';
import { OPERATOR, OPERATORS_KEY, type ServiceProcess, startServiceProcess } from './service-process.js';

const SERVICES = ['tenants', 'ingestion', 'enrichment', 'embedding', 'retrieval'] as const;
type Service = (typeof SERVICES)[number];

const folder = temporaryFolder();
const services = {} as Record<Service, ServiceProcess>;
let gateway: ServiceProcess;

const PARAGRAPH = `query($of: [_Any!]!) { _entities(representations: $of) { ... on Paragraph {`;
const representations = { of: [{ __typename: 'Paragraph', id: 'p1' }] };

describe('each service alone, its neighbours absent', () => {
  beforeAll(async () => {
    await Promise.all(
      SERVICES.map(async (name) => {
        services[name] = await startServiceProcess(name, folder.path);
      }),
    );
    gateway = await startServiceProcess('gateway', folder.path, {
      POSTMASTER_ADMIN_KEY: OPERATORS_KEY,
      TENANTS_URL: services.tenants.url,
      INGESTION_URL: 'http://127.0.0.1:9', // nobody is there
    });
  }, 90_000);
  afterAll(async () => {
    await Promise.all([...Object.values(services), gateway].map((one) => one.end('SIGKILL')));
    folder.remove();
  });

  it.each(SERVICES)('%s is live and ready, and tells its schema to a signed identity alone', async (name) => {
    const service = services[name];
    expect([await service.health('live'), await service.health('ready')]).toEqual([200, 200]);
    const { data } = await service.ask<{ _service: { sdl: string } }>('{ _service { sdl } }');
    expect(data?._service.sdl).toContain('type Query');
    const { errors } = await service.ask('{ _service { sdl } }', {}, null);
    expect(errors?.[0]?.extensions.code).toBe('IDENTITY_INVALID');
  });

  it('tenants makes a tenant and reads it', async () => {
    const made = await services.tenants.ask(
      `mutation { createTenant(input: { id: "acme", name: "Acme" }) { ... on NewTenant { tenant { id } } } }`,
      {},
      OPERATOR,
    );
    expect(made.data).toEqual({ createTenant: { tenant: { id: 'acme' } } });
    expect((await services.tenants.ask('{ tenant { id name } }')).data).toEqual({
      tenant: { id: 'acme', name: 'Acme' },
    });
  });

  it('ingestion takes a text in, which waits for the tenants service to be read', async () => {
    const { data } = await services.ingestion.ask<{ ingestText: { document: { id: string } } }>(
      `mutation { ingestText(input: { text: "A text.", title: "One" }) { __typename ... on Ingested { document { id } } ... on Refused { code } } }`,
    );
    const id = data?.ingestText.document.id;
    const read = await services.ingestion.ask(
      `query($id: ID!) { document(id: $id) { title status failure { code } } }`,
      { id },
    );
    expect(read.data).toEqual({ document: { title: 'One', status: 'ACCEPTED', failure: null } });
  });

  it('enrichment tells its model, and of facets that it has none', async () => {
    const { data } = await services.enrichment.ask(
      `${PARAGRAPH} facets { context } } } facetModel { id } }`,
      representations,
    );
    expect(data).toEqual({ _entities: [{ facets: null }], facetModel: { id: 'extractive' } });
  });

  it('embedding tells its encoder, and of vectors that it has none', async () => {
    const { data } = await services.embedding.ask(
      `${PARAGRAPH} vectors { name } } } encoder { dimension } }`,
      representations,
    );
    expect(data).toEqual({ _entities: [{ vectors: null }], encoder: { dimension: 384 } });
  });

  it('retrieval says what is wrong with a question, and that nobody encodes a right one', async () => {
    const empty = await services.retrieval.ask('{ search(query: " ") { hits { score } } }');
    expect(empty.errors?.[0]?.extensions.code).toBe('QUERY_EMPTY');
    const right = await services.retrieval.ask('{ search(query: "When?") { hits { score } } }');
    expect(right.errors?.[0]?.extensions).toMatchObject({ code: 'SERVICE_UNAVAILABLE', next: expect.any(String) });
  });

  it('the gateway asks the services it is told of, and answers for the others', async () => {
    expect([await gateway.health('live'), await gateway.health('ready')]).toEqual([200, 200]);
    const operator = clientOf(gateway, OPERATORS_KEY);
    const { data, errors } = await operator.graphql(
      `mutation { createTenant(input: { id: "beta", name: "Beta" }) { ... on NewTenant { tenant { id } } } }`,
    );
    expect([data, errors]).toEqual([{ createTenant: { tenant: { id: 'beta' } } }, undefined]);
    for (const query of ['{ documents { totalCount } }', '{ search(query: "When?") { hits { score } } }'])
      expect((await operator.graphql(query)).errors?.[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
  });

  it("the gateway can't verify a tenant's key, and says so in a code that can be tried again", async () => {
    const read = await clientOf(gateway, 'pm_a-key-of-some-tenant').get('/api/v1/documents');
    expect(read.status).toBe(503);
    expect(await read.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', next: expect.any(String) });
  });

  it('none starts without the secret that they share', async () => {
    const main = fileURLToPath(new URL('../apps/retrieval/dist/main.js', import.meta.url));
    await expect(startProcess(main, folder.path, {})).rejects.toMatchObject({
      code: 1,
      output: expect.stringContaining('POSTMASTER_IDENTITY_SECRET is not set'),
    });
  });

  it('each ends with 0 when it is told to stop', async () => {
    const codes = await Promise.all([...Object.values(services), gateway].map((one) => one.end('SIGTERM')));
    expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
