import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPglite, openPostgres } from '@postmaster/database';
import { sql } from 'kysely';
import { type Client, clientOf, follow } from './client.js';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CLUSTER } from './joined-server.js';
import { type ServerProcess, startServer, temporaryFolder } from './server-process.js';

const ADMIN = 'operators-key-of-the-test';
const folder = temporaryFolder();
let server: ServerProcess;
let operator: Client;
let ours: Client;
let theirs: Client;
const keys: Record<string, string> = {};

interface Place {
  place: string;
  left: number;
  kept: { count: number; why: string; until: string | null } | null;
}
interface Receipt {
  complete: boolean;
  documents: number;
  services: { service: string; places: Place[]; failure: { code: string } | null }[];
}

const callers = (): void => {
  operator = clientOf(server, ADMIN);
  ours = clientOf(server, keys.ours ?? '');
  theirs = clientOf(server, keys.theirs ?? '');
};
const start = async (): Promise<void> => {
  server = await startServer(folder.path, { POSTMASTER_ADMIN_KEY: ADMIN, ENCODER_THREADS: '1' });
  callers();
};

const keyOf = async (tenant: string): Promise<string> => {
  const { createTenant } = await operator.ask<{ createTenant: { key: { secret: string } } }>(
    `mutation($input: CreateTenantInput!) { createTenant(input: $input) { ... on NewTenant { key { secret } } } }`,
    { input: { id: tenant, name: tenant } },
  );
  return createTenant.key.secret;
};

/** Asks until the receipt is complete; gives the last one after `withinMs`. */
const receiptOf = async <R extends { complete: boolean }>(
  client: Client,
  path: string,
  withinMs = 20_000,
): Promise<R> => {
  for (const end = Date.now() + withinMs; ;) {
    const response = await client.get(path);
    const receipt = (await response.json()) as R;
    if (receipt.complete || Date.now() > end) return receipt;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const upload = async (client: Client, text: string, sourceId: string, collection = 'drafts'): Promise<string> => {
  const { body } = await client.upload('note.md', text, { sourceType: 'wiki', sourceId, collection });
  await follow(client, String(body.id));
  return String(body.id);
};
const placeOf = (receipt: Receipt, service: string, place: string): Place | undefined =>
  receipt.services.find((one) => one.service === service)?.places.find((one) => one.place === place);

const SHARED = '# Lamps\n\nThe lamp of the lighthouse in Skagen burned colza oil until the year 1890.';

describe('what is deleted', () => {
  beforeAll(async () => {
    await start();
    for (const tenant of ['ours', 'theirs']) keys[tenant] = await keyOf(tenant);
    callers();
  }, 60_000);
  afterAll(async () => {
    await server.end();
    folder.remove();
  });

  it('is gone everywhere, as its receipt shows, but for the bytes that another document has', async () => {
    const [one, two] = [await upload(ours, SHARED, 'one'), await upload(ours, SHARED, 'two')];
    expect((await ours.get(`/api/v1/deletions/${one}`)).status).toBe(404);
    await ours.get(`/api/v1/documents/${one}`, { method: 'DELETE' });
    const receipt = await receiptOf<Receipt>(ours, `/api/v1/deletions/${one}`);
    expect(receipt).toMatchObject({ complete: true, documents: 1 });
    expect(receipt.services.map(({ service }) => service).sort()).toEqual([
      ...['embedding', 'enrichment', 'ingestion', 'retrieval'],
    ]);
    expect(placeOf(receipt, 'ingestion', 'blobs')).toMatchObject({ left: 0, kept: { count: 1, until: null } });
    const found = await ours.ask<{ search: { hits: { paragraph: { document: { id: string } } }[] } }>(
      `{ search(query: "What did the lamp burn?") { hits { paragraph { document { id } } } } }`,
    );
    expect(found.search.hits.map(({ paragraph }) => paragraph.document.id)).toEqual([two]);
    expect((await follow(ours, two)).status).toBe('READY');
    expect((await theirs.get(`/api/v1/deletions/${one}`)).status).toBe(404);
  });

  it('by source and by filter is shown by the receipt of its job', async () => {
    await upload(ours, '# A\n\nThe ferry to Anholt sails at noon on Sundays.', 'a', 'ferries');
    await upload(ours, '# B\n\nThe ferry to Læsø takes ninety minutes each way.', 'b', 'ferries');
    await upload(ours, '# C\n\nThe ferry to Samsø carries eighty cars.', 'c', 'ferries');
    const remove = async (query: string) => {
      const response = await ours.get(`/api/v1/documents?${query}`, { method: 'DELETE' });
      return { status: response.status, body: (await response.json()) as { id: string; total: number; code: string } };
    };
    expect(await remove('')).toMatchObject({ status: 400, body: { code: 'FILTER_INVALID' } });
    const bySource = await remove('sourceType=wiki&sourceId=a');
    expect(bySource).toMatchObject({ status: 202, body: { total: 1 } });
    const receipt = ({ body }: typeof bySource) => receiptOf<Receipt>(ours, `/api/v1/deletions/${body.id}`);
    expect(await receipt(bySource)).toMatchObject({ complete: true, documents: 1 });
    const byFilter = await remove('collection=ferries');
    expect(byFilter).toMatchObject({ status: 202, body: { total: 2 } });
    expect(await receipt(byFilter)).toMatchObject({ complete: true, documents: 2 });
    expect((await theirs.get(`/api/v1/deletions/${byFilter.body.id}`)).status).toBe(404);
  });

  it('with a tenant is all that it had, from the moment it is asked for, and nothing of another', async () => {
    const [mine, others] = [await upload(ours, SHARED, 'last'), await upload(theirs, SHARED, 'last')];
    const removal = `/api/v1/tenants/ours`;
    for (const client of [ours, theirs]) {
      expect((await client.get(removal, { method: 'DELETE' })).status).toBe(403);
      expect((await client.get(`${removal}/deletion`)).status).toBe(403);
    }
    expect((await operator.get('/api/v1/tenants/default', { method: 'DELETE' })).status).toBe(400);
    expect((await operator.get(`${removal}/deletion`)).status).toBe(404);
    expect((await operator.get(removal, { method: 'DELETE' })).status).toBe(202);
    expect([401, 410]).toContain((await ours.upload('late.md', 'Too late by a moment.')).status);
    await server.end('SIGKILL');
    await start();
    const receipt = await receiptOf<Receipt>(operator, `${removal}/deletion`);
    expect(receipt.services.map(({ service }) => service)).toEqual([
      ...['ingestion', 'enrichment', 'embedding', 'retrieval', 'tenants'],
    ]);
    expect(receipt).toMatchObject({ complete: true });
    expect([401, 410]).toContain((await ours.get(`/api/v1/documents/${mine}`)).status);
    expect((await follow(theirs, others)).status).toBe('READY');
    const again = await operator.ask<{ createTenant: { code: string } }>(
      `mutation { createTenant(input: { id: "ours", name: "Ours" }) { ... on Refused { code } } }`,
    );
    expect(again.createTenant).toEqual({ code: 'TENANT_DELETED' });
  });

  it('leaves no row in any table, no file and no point', async () => {
    await server.end('SIGTERM');
    const rows = await rowsByTenant();
    expect(rows.filter(({ tenant, table }) => tenant === 'ours' && !table.endsWith('.closed_tenants'))).toEqual([]);
    expect(rows.filter(({ tenant }) => tenant === 'theirs').length).toBeGreaterThan(5);
    if (CLUSTER) return expect(await pointsOf(CLUSTER.qdrantUrl, 'ours')).toBe(0);
    expect(existsSync(join(server.kept, 'blobs', 'theirs'))).toBe(true);
    const files = readdirSync(server.kept, { recursive: true, withFileTypes: true });
    const named = files.filter((file) => file.isFile() && join(file.parentPath, file.name).includes('/ours'));
    expect(named.map((file) => join(file.parentPath, file.name))).toEqual([]);
  });
});

/** Whoever has rows in which table, of all tables that name a tenant. */
const rowsByTenant = async (): Promise<{ table: string; tenant: string }[]> => {
  const url = CLUSTER?.postgresUrl.replace(/postgres$/, 'postmaster');
  const database = url
    ? openPostgres({ url, poolSize: 1, statementTimeoutMs: 10_000 })
    : await openPglite({ folder: join(server.kept, 'rows') });
  try {
    return await database.kysely.connection().execute(async (connection) => {
      await sql`reset role`.execute(connection);
      const { rows: tables } = await sql<{ schema: string; name: string }>`
        select table_schema as schema, table_name as name from information_schema.columns
        where column_name = 'tenant' and table_schema in ('tenants', 'ingestion', 'enrichment', 'embedding', 'retrieval')`.execute(
        connection,
      );
      const found = [];
      for (const { schema, name } of tables) {
        const { rows } = await sql<{ tenant: string }>`
          select distinct tenant from ${sql.table(`${schema}.${name}`)}`.execute(connection);
        found.push(...rows.map(({ tenant }) => ({ table: `${schema}.${name}`, tenant })));
      }
      return found;
    });
  } finally {
    await database.close();
  }
};

/** Of all collections of a Qdrant. */
const pointsOf = async (qdrantUrl: string, tenant: string): Promise<number> => {
  const ask = async <R>(path: string, body?: object): Promise<R> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(
      `${qdrantUrl}${path}`,
      body && { method: 'POST', headers, body: JSON.stringify(body) },
    );
    return ((await response.json()) as { result: R }).result;
  };
  const { collections } = await ask<{ collections: { name: string }[] }>('/collections');
  const filter = { must: [{ key: 'tenant', match: { value: tenant } }] };
  const counts = collections.map(({ name }) =>
    ask<{ count: number }>(`/collections/${name}/points/count`, { filter, exact: true }),
  );
  return (await Promise.all(counts)).reduce((sum, { count }) => sum + count, 0);
};
