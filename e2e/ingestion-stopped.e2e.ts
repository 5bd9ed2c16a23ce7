import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedError, livingParagraphs } from '@postmaster/contracts';
import { createGateway, type Gateway } from '@postmaster/gateway';
import { createLog, createMetrics } from '@postmaster/service';
import { ensureDefaultTenant } from '@postmaster/tenants';
import { documentBytes, uploads } from '../apps/standalone/src/gateway-ports.js';
import { openData, type OpenData } from '../apps/standalone/src/open-data.js';
import { closeNeighbours, type Neighbours, openNeighbours } from '../apps/standalone/src/open-neighbours.js';
import { standaloneConfig } from '../apps/standalone/src/standalone-config.js';
import { type Wired, wireServices } from '../apps/standalone/src/wire-services.js';
import { type Client, clientOf, follow } from './client.js';
import { temporaryFolder } from './server-process.js';

const folder = temporaryFolder();
const log = createLog({ name: 'test', level: 'silent', pretty: false });
let data: OpenData;
let neighbours: Neighbours;
let wired: Wired;
let gateway: Gateway;
let client: Client;
let document: string;

const TEXT = '# Winters\n\nThe harbour of Ribe froze over in the winter of 1871, and the ships lay still until March.';

/** A front door to these subgraphs. */
const openGateway = async (names: readonly string[]): Promise<[Gateway, string]> => {
  const opened = await createGateway({
    config: { host: '127.0.0.1', port: 0, sessionSecret: data.sessionSecret, maxDocumentBytes: 1_000_000 },
    ...{ seal: wired.seal, requests: wired.requests, observers: wired.bus, log },
    subgraphs: Object.fromEntries(
      wired.subgraphs.filter(({ name }) => names.includes(name)).map((one) => [one.name, one]),
    ),
    uploads: uploads(wired.ingestion),
    bytes: documentBytes(wired.ingestion),
  });
  return [opened, await opened.listen()];
};

describe('with ingestion stopped', () => {
  beforeAll(async () => {
    const config = standaloneConfig({ POSTMASTER_DATA: folder.path, ENCODER_THREADS: '1' });
    data = await openData(config.POSTMASTER_DATA, '0.0.0', (error) => {
      throw error;
    });
    neighbours = await openNeighbours(config, data);
    wired = await wireServices(config, data, neighbours, log, createMetrics('test'));
    await wired.start();
    const { secret } = await ensureDefaultTenant(wired.tenants)({});
    const [whole, address] = await openGateway(['tenants', 'ingestion', 'enrichment', 'embedding', 'retrieval']);
    const before = clientOf({ url: address }, secret);
    document = String((await before.upload('winters.md', TEXT)).body.id);
    expect((await follow(before, document)).status).toBe('READY');
    await whole.close();

    await wired.subgraphs.find(({ name }) => name === 'ingestion')?.close();
    wired.requests.answer(livingParagraphs, () =>
      Promise.reject(new CodedError('SERVICE_UNAVAILABLE', 'Nobody answers "ingestion.living-paragraphs".')),
    );
    const [rest, url] = await openGateway(['tenants', 'enrichment', 'embedding', 'retrieval']);
    gateway = rest;
    client = clientOf({ url }, secret);
  }, 90_000);
  afterAll(async () => {
    await gateway.close();
    await wired.stopWorkers();
    await Promise.all(wired.subgraphs.filter(({ name }) => name !== 'ingestion').map((one) => one.close()));
    await closeNeighbours(neighbours);
    await data.database.close();
    await data.lock.release();
    folder.remove();
  });

  it('search still returns hits with their text and facets, and says that their owner did not answer', async () => {
    const { data: found, errors } = await client.graphql<{ search: { hits: unknown[]; notices: unknown[] } }>(
      `{ search(query: "When did the harbour freeze?") {
           hits { score relevance paragraph { text position facets { context } document { title } } }
           notices { code next } } }`,
    );
    expect(found?.search.hits).toEqual([
      {
        score: 1,
        relevance: expect.any(Number),
        paragraph: {
          text: expect.stringContaining('froze over in the winter of 1871'),
          position: 0,
          facets: { context: expect.any(String) },
          document: null,
        },
      },
    ]);
    expect(found?.search.notices).toEqual([{ code: 'SERVICE_UNAVAILABLE', next: expect.any(String) }]);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['SERVICE_UNAVAILABLE']);
  });

  it('ask still answers with its citation', async () => {
    const { ask } = await client.ask<{ ask: { found: boolean; text: string; citations: { quote: string }[] } }>(
      `{ ask(query: "When did the harbour freeze?") { found text citations { quote } } }`,
    );
    expect(ask.found).toBe(true);
    expect(ask.text).toContain('1871');
    expect(ask.citations).toHaveLength(1);
  });

  it('what ingestion alone knows is a coded error, beside what others know', async () => {
    const { data: read, errors } = await client.graphql(
      `query($id: ID!) { document(id: $id) { title } documents { totalCount } tenant { id } }`,
      { id: document },
    );
    expect(read).toEqual({ document: null, documents: null, tenant: { id: 'default' } });
    // One for each field that is left empty.
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    expect(errors?.[0]?.extensions.next).toBeTruthy();
  });

  it('a change is refused in the same words, and nothing of it is done', async () => {
    const { errors } = await client.graphql(
      `mutation($ids: [ID!]) { deleteDocuments(filter: { ids: $ids }) { __typename } }`,
      { ids: [document] },
    );
    expect(errors?.[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
    const rest = await client.get(`/api/v1/documents/${document}`);
    expect(rest.status).toBe(503);
    expect(await rest.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', next: expect.any(String) });
  });
});
