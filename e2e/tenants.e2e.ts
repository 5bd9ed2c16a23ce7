import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { joinServer } from './joined-server.js';
import { type ServerProcess, temporaryFolder } from './server-process.js';

const ADMIN = 'operators-key-of-the-test';
const folder = temporaryFolder();
let server: ServerProcess;
let ours: Client;
let theirs: Client;
let document: string;
let paragraph: string;

const keyOf = async (operator: Client, tenant: string): Promise<string> => {
  const { createTenant } = await operator.ask<{ createTenant: { key: { secret: string } } }>(
    `mutation($input: CreateTenantInput!) { createTenant(input: $input) { ... on NewTenant { key { secret } } } }`,
    { input: { id: tenant, name: tenant } },
  );
  return createTenant.key.secret;
};

describe("another tenant's key", () => {
  beforeAll(async () => {
    server = await joinServer(folder.path, { POSTMASTER_ADMIN_KEY: ADMIN, ENCODER_THREADS: '1' });
    const operator = clientOf(server, ADMIN);
    ours = clientOf(server, server.key);
    theirs = clientOf(server, await keyOf(operator, 'other'));
    const { body } = await ours.upload('secret.md', '# Plans\n\nThe treasure lies under the old oak in Ribe.');
    document = String(body.id);
    await follow(ours, document);
    const read = await ours.ask<{ document: { paragraphs: { nodes: { id: string }[] } } }>(
      `query($id: ID!) { document(id: $id) { paragraphs { nodes { id } } } }`,
      { id: document },
    );
    paragraph = String(read.document.paragraphs.nodes[0]?.id);
  }, 120_000);
  afterAll(async () => {
    await server.end();
    folder.remove();
  });

  it('reads no document, paragraph, facet or vector', async () => {
    const read = await theirs.graphql<{ document: unknown; documents: { totalCount: number }; paragraphs: unknown[] }>(
      `query($id: ID!, $ids: [ID!]!) { document(id: $id) { title } documents { totalCount }
         paragraphs(ids: $ids) { text facets { context } vectors { name } } }`,
      { id: document, ids: [paragraph] },
    );
    expect(read.data).toEqual({ document: null, documents: { totalCount: 0 }, paragraphs: [null] });
  });

  it('sees nothing of what its paragraphs name', async () => {
    const ribe = await until(async () => {
      const { entities } = await ours.ask<{ entities: { nodes: { id: string }[] } }>(
        `{ entities(search: "Ribe") { nodes { id name } } }`,
      );
      return entities.nodes[0]?.id;
    });
    const read = await theirs.graphql<Record<string, unknown>>(
      `query($id: ID!, $paragraph: ID!, $document: ID!) { entity(id: $id) { name } entities { totalCount }
         paragraphs(ids: [$paragraph]) { entities { name } } document(id: $document) { entities { totalCount } } }`,
      { id: ribe, paragraph, document },
    );
    expect(read.data).toEqual({ entity: null, entities: { totalCount: 0 }, paragraphs: [null], document: null });
    const refused = { code: 'NOT_FOUND' };
    const changed = await theirs.ask<Record<string, unknown>>(
      `mutation($id: ID!, $ids: [ID!]!) { mergeEntities(input: { into: $id, entities: $ids }) { ... on Refused { code } }
         separateNames(input: { keys: ["ribe"] }) { ... on Refused { code } }
         takeBackEntities(input: { entities: $ids }) { ... on Refused { code } } }`,
      { id: ribe, ids: [ribe] },
    );
    expect(changed).toEqual({ mergeEntities: refused, separateNames: refused, takeBackEntities: refused });
    const { exportedEntities } = await theirs.ask<{ exportedEntities: unknown }>('{ exportedEntities { lines } }');
    expect(exportedEntities).toEqual({ lines: '' });
  });

  it('finds nothing by search, and is told that nothing fits', async () => {
    const found = await theirs.ask<{ search: { hits: unknown[] }; ask: { found: boolean; citations: unknown[] } }>(
      `{ search(query: "Where is the treasure?") { hits { score } } ask(query: "Where is the treasure?") { found citations { marker } } }`,
    );
    expect(found).toEqual({ search: { hits: [] }, ask: { found: false, citations: [] } });
  });

  it.each(['', '/text', '/original', '/events'])('gets 404 for /api/v1/documents/{id}%s', async (path) => {
    const response = await theirs.get(`/api/v1/documents/${document}${path}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('deletes, retries and enriches nothing of it', async () => {
    for (const mutation of ['deleteDocuments', 'retryDocuments', 'enrichDocuments']) {
      const answer = await theirs.ask<Record<string, { total: number }>>(
        `mutation($ids: [ID!]) { ${mutation}(filter: { ids: $ids }) { ... on Job { total } ... on Refused { code } } }`,
        { ids: [document] },
      );
      expect(answer[mutation]).toEqual({ total: 0 });
    }
    await theirs.get(`/api/v1/documents/${document}`, { method: 'DELETE' });
    expect((await follow(ours, document)).status).toBe('READY');
  });

  it('sees none of its jobs and keys', async () => {
    const { deleteDocuments } = await ours.ask<{ deleteDocuments: { id: string } }>(
      `mutation { deleteDocuments(filter: { titleContains: "no such title" }) { ... on Job { id } } }`,
    );
    const read = await theirs.ask<{ job: unknown; keys: { id: string }[] }>(
      `query($id: ID!) { job(id: $id) { id } keys { id } }`,
      { id: deleteDocuments.id },
    );
    expect(read.job).toBeNull();
    const own = await ours.ask<{ keys: { id: string }[] }>(`{ keys { id } }`);
    const ids = new Set(own.keys.map((key) => key.id));
    expect(read.keys.filter((key) => ids.has(key.id))).toEqual([]);
    const key = own.keys[0]?.id;
    const revoked = await theirs.ask<{ revokeKey: unknown }>(
      `mutation($id: ID!) { revokeKey(id: $id) { ... on Refused { code } } }`,
      { id: key },
    );
    expect(revoked.revokeKey).toEqual({ code: 'NOT_FOUND' });
  });

  it('the same bytes under both are two documents that share nothing', async () => {
    const { body } = await theirs.upload('secret.md', '# Plans\n\nThe treasure lies under the old oak in Ribe.');
    expect(body.id).not.toBe(document);
    await follow(theirs, String(body.id));
    await theirs.ask(`mutation($ids: [ID!]) { deleteDocuments(filter: { ids: $ids }) { ... on Job { id } } }`, {
      ids: [body.id],
    });
    const text = await ours.get(`/api/v1/documents/${document}/original`);
    expect(await text.text()).toContain('treasure');
  });
});
