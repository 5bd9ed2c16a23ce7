import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type PostgresServer, postgresBinaries, startPostgres } from '@postmaster/testing';
import pg from 'pg';
import { temporaryFolder } from './server-process.js';
import { OPERATOR, type ServiceProcess, startServiceProcess } from './service-process.js';

const binaries = postgresBinaries();
const folder = temporaryFolder();
const MIGRATE = fileURLToPath(new URL('../apps/migrate/dist/main.js', import.meta.url));
const SERVICES = ['tenants', 'ingestion', 'enrichment', 'embedding', 'retrieval'] as const;
let server: PostgresServer;

const login = (name: string): string => server.url.replace('postgres@', `${name}@`);
const run = promisify(execFile);
const query = async (as: string, ...statements: string[]): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: login(as) });
  await client.connect();
  let rows: unknown[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  await client.end();
  return rows;
};
const migrate = (env: Record<string, string> = {}): Promise<{ stdout: string }> =>
  run(process.execPath, [MIGRATE], {
    env: { PATH: process.env.PATH, MIGRATE_DATABASE_URL: server.url, MIGRATE_GRANT_TO: 'services', ...env },
  });
const start = (name: (typeof SERVICES)[number], as = 'services'): Promise<ServiceProcess> =>
  startServiceProcess(name, folder.path, { DATABASE_URL: login(as) });

(binaries ? describe : describe.skip)('services on a real Postgres', () => {
  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
    await query(
      'postgres',
      'create role services login',
      'create role stranger login',
      'create role reckless login bypassrls',
    );
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    folder.remove();
  });

  it('refuse a schema that nobody has migrated', async () => {
    for (const role of ['postmaster_app', 'postmaster_system'])
      await query('postgres', `create role ${role}`, `grant ${role} to services`);
    await expect(start('tenants')).rejects.toMatchObject({
      output: expect.stringMatching(/DATABASE_NOT_MIGRATED: The schema "tenants" lacks[\s\S]*apps\/migrate/),
    });
  });

  it('are migrated by a step of its own, which has nothing to do the second time', async () => {
    expect((await migrate()).stdout).toContain('tenants/0001-tenants-and-keys');
    expect((await migrate()).stdout).toContain('up to date');
    await expect(migrate({ MIGRATE_DATABASE_URL: '' })).rejects.toMatchObject({
      stderr: expect.stringContaining('MIGRATE_DATABASE_URL is not set'),
    });
  });

  it('are not waited for by retrieval, whose searches need none: only feedback is put off', async () => {
    const nowhere = { DATABASE_URL: 'postgres://services@127.0.0.1:9/postmaster' };
    const retrieval = await startServiceProcess('retrieval', folder.path, nowhere);
    expect([await retrieval.health('live'), await retrieval.health('ready')]).toEqual([200, 200]);
    const { errors } = await retrieval.ask('{ search(query: " ") { tookMs } }');
    expect(errors?.[0]?.extensions.code).toBe('QUERY_EMPTY');
    const { data } = await retrieval.ask(
      `mutation { giveFeedback(input: { query: "When?", verdict: WRONG, answer: { text: "?" } }) { ... on Refused { code } } }`,
    );
    expect(data).toEqual({ giveFeedback: { code: 'SERVICE_UNAVAILABLE' } });
    expect(await retrieval.end('SIGTERM')).toBe(0);
  });

  it.each([
    ['postgres', 'is a superuser'],
    ['reckless', 'has BYPASSRLS'],
    ['stranger', 'is no member of both'],
  ])('refuse the login "%s", which %s', async (name, why) => {
    await expect(start('tenants', name)).rejects.toMatchObject({ output: expect.stringContaining(why) });
  });

  it('refuse a login that owns a schema', async () => {
    const own = 'alter schema tenants owner to';
    await query('postgres', 'create role owner login in role postmaster_app, postmaster_system', `${own} owner`);
    await expect(start('tenants', 'owner')).rejects.toMatchObject({ output: expect.stringContaining('owns the') });
    await query('postgres', `${own} postgres`);
  });

  it('run beside each other on one database with a plain login, and keep tenants apart', async () => {
    const services = await Promise.all(SERVICES.map((name) => start(name)));
    const [tenants, ingestion] = services as [ServiceProcess, ServiceProcess];
    expect(await Promise.all(services.map((one) => one.health('ready')))).toEqual(services.map(() => 200));
    const made = await tenants.ask(
      `mutation { createTenant(input: { id: "acme", name: "Acme" }) { ... on NewTenant { tenant { id } } } }`,
      {},
      OPERATOR,
    );
    expect(made.data).toEqual({ createTenant: { tenant: { id: 'acme' } } });
    const { data } = await ingestion.ask<{ ingestText: { document: { id: string } } }>(
      `mutation { ingestText(input: { text: "A text.", title: "One" }) { ... on Ingested { document { id } } } }`,
    );
    const read = `query($id: ID!) { document(id: $id) { title status } }`;
    const id = data?.ingestText.document.id;
    expect((await ingestion.ask(read, { id })).data).toEqual({ document: { title: 'One', status: 'ACCEPTED' } });
    expect(await query('services', 'set role postmaster_app', 'select * from ingestion.documents')).toEqual([]); // no tenant
    expect(await Promise.all(services.map((one) => one.end('SIGTERM')))).toEqual(services.map(() => 0));
  }, 60_000);
});
