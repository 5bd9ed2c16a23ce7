import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, openPostgres, requireMigrated, requirePlainLogin, type ServiceRows } from '@postmaster/database';
import { EMBEDDING_SCHEMA, embeddingMigrations } from '@postmaster/embedding';
import { ENRICHMENT_SCHEMA, enrichmentMigrations } from '@postmaster/enrichment';
import { INGESTION_SCHEMA, ingestionMigrations } from '@postmaster/ingestion';
import { RETRIEVAL_SCHEMA, retrievalMigrations } from '@postmaster/retrieval';
import { TENANTS_SCHEMA, tenantsMigrations } from '@postmaster/tenants';
import { postgresBinaries, type PostgresServer, startPostgres } from '@postmaster/testing';
import pg from 'pg';
import { ROOT } from './repository.js';

const SERVICES: ServiceRows[] = [
  { schema: TENANTS_SCHEMA, migrations: tenantsMigrations },
  { schema: INGESTION_SCHEMA, migrations: ingestionMigrations },
  { schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations },
  { schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations },
  { schema: RETRIEVAL_SCHEMA, migrations: retrievalMigrations },
];
const binaries = postgresBinaries();

(binaries ? describe : describe.skip)('the logins that deploy/postgres/make-logins.sh makes', () => {
  let server: PostgresServer;
  const loginOf = (user: string): string => {
    const url = new URL(server.url);
    return `postgres://${user}:fake@${url.host}/postmaster`;
  };
  const open = (user: string) => openPostgres({ url: loginOf(user), poolSize: 1, statementTimeoutMs: 10_000 });

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
    const { hostname, port } = new URL(server.url);
    await promisify(execFile)('sh', [join(ROOT, 'deploy/postgres/make-logins.sh')], {
      env: {
        ...{ PATH: `${binaries}:${process.env.PATH ?? ''}`, PGHOST: hostname, PGPORT: port, POSTGRES_USER: 'postgres' },
        ...{ POSTGRES_OWNER_PASSWORD: 'fake', POSTGRES_SERVICE_PASSWORD: 'fake' },
      },
    });
  });
  afterAll(() => server.stop());

  it('let the owner migrate, twice to the same end', async () => {
    const owner = await open('postmaster_owner');
    try {
      expect((await migrate(owner.kysely, SERVICES)).length).toBeGreaterThan(3);
      expect(await migrate(owner.kysely, SERVICES)).toEqual([]);
    } finally {
      await owner.close();
    }
  });

  it('let a service work, which finds its schema migrated and its login plain', async () => {
    const service = await open('postmaster_service');
    try {
      for (const rows of SERVICES) {
        await requireMigrated(service.kysely, rows);
        await requirePlainLogin(service.kysely, rows.schema);
      }
    } finally {
      await service.close();
    }
  });

  it('keep a service from changing the schema, and from rows without a tenant', async () => {
    const client = new pg.Client(loginOf('postmaster_service'));
    await client.connect();
    try {
      await expect(client.query('drop table ingestion.documents')).rejects.toThrow(/must be owner/);
      await expect(client.query('create table ingestion.mine (id int)')).rejects.toThrow(/permission denied/);
      await expect(client.query('create schema mine')).rejects.toThrow(/permission denied/);
      await client.query('set role postmaster_app');
      expect((await client.query('select * from ingestion.documents')).rows).toEqual([]);
    } finally {
      await client.end();
    }
  });
});
