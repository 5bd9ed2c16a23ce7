import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, openPostgres } from '@postmaster/database';
import { type PostgresServer, postgresBinaries, startPostgres, startWire } from '@postmaster/testing';
import { type Kysely, sql } from 'kysely';
import { patientOf } from '../../test/patient-of.js';
import { startSilentServer } from '../../test/silent-server.js';
import type { Finding } from '../finding.js';
import type { ExamineOptions } from '../patient.js';
import { examinePostgres } from './examine-postgres.js';
import { SERVICE_ROWS } from './service-rows.js';

const binaries = postgresBinaries();
const PASSWORD = 'right-password';
const POOLS = { tenants: 1, ingestion: 1, enrichment: 1, embedding: 1, 'embedding-query': 1 };

(binaries ? describe : describe.skip)('Postgres', () => {
  let server: PostgresServer;
  const at = (database: string, login = 'service', password = PASSWORD): string => {
    const url = new URL(server.url);
    Object.assign(url, { pathname: `/${database}`, username: login, password });
    return url.href;
  };
  const asOwner = async <R>(database: string, work: (kysely: Kysely<unknown>) => Promise<R>): Promise<R> => {
    const opened = await openPostgres({ url: at(database, 'postgres'), poolSize: 1, statementTimeoutMs: 10_000 });
    try {
      return await work(opened.kysely);
    } finally {
      await opened.close();
    }
  };
  const examined = async (url: string, options: Partial<ExamineOptions> = {}): Promise<Record<string, Finding>> => {
    const found = await examinePostgres(patientOf({ DATABASE_URL: url }, { pools: POOLS, ...options }));
    return Object.fromEntries(found.map((one) => [one.name, one]));
  };

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
    const hba = await asOwner('postgres', async (kysely) => {
      await sql`create role service login password ${sql.lit(PASSWORD)}`.execute(kysely);
      for (const name of ['ready', 'bare']) await sql`create database ${sql.id(name)}`.execute(kysely);
      const { rows } = await sql<{ path: string }>`select current_setting('hba_file') as path`.execute(kysely);
      return rows[0]?.path ?? '';
    });
    await writeFile(hba, `host all service 127.0.0.1/32 scram-sha-256\n${await readFile(hba, 'utf8')}`);
    await asOwner('postgres', (kysely) => sql`select pg_reload_conf()`.execute(kysely));
  }, 60_000);
  afterAll(() => server?.stop());

  it('without migrations is said with what is missing, and its outbox is not read', async () => {
    const found = await examined(at('bare'));
    expect(found.postgres).toMatchObject({
      state: 'ok',
      said: expect.stringMatching(/^Postgres \d+\.\d+ at 127.0.0.1:\d+, database bare/),
    });
    expect(found['postgres login']).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('postmaster_app and postmaster_system are not there'),
    });
    expect(found['postgres schemas']).toMatchObject({ state: 'fail', next: expect.stringContaining('apps/migrate') });
    for (const { schema } of SERVICE_ROWS)
      expect(found['postgres schemas']?.said).toContain(`The schema "${schema}" lacks`);
    expect(found.outbox?.state).toBe('skipped');
  });

  describe('migrated', () => {
    beforeAll(() => asOwner('ready', (kysely) => migrate(kysely, SERVICE_ROWS, ['service'])));

    it('and used by a plain login is in order', async () => {
      const found = await examined(at('ready'), { replicas: { ...POOLS } });
      expect(Object.values(found).filter(({ state }) => state !== 'ok')).toEqual([]);
      expect(Object.keys(found)).toEqual([
        ...['postgres', 'postgres login', 'postgres schemas', 'postgres connections', 'postgres sessions'],
        ...['clock', 'outbox', 'dead letters'],
      ]);
      expect(found['postgres connections']?.said).toMatch(
        /At most 5 connections .* room for 97 \(max_connections 100 less 3/,
      );
    });

    it('fails for a superuser, whom row-level security does not bind', async () => {
      const found = await examined(at('ready', 'postgres'));
      expect(found['postgres login']).toMatchObject({ state: 'fail', said: expect.stringContaining('is a superuser') });
    });

    it('fails where pools × replicas are more than max_connections', async () => {
      const found = await examined(at('ready'), { pools: {}, replicas: { ...POOLS, ingestion: 8 } });
      expect(found['postgres connections']).toMatchObject({
        state: 'fail',
        said: expect.stringContaining('At most 107 connections are opened (tenants 1×5, ingestion 8×10'),
      });
    });

    it('says how far the clocks are apart', async () => {
      const ahead = await examined(at('ready'), { now: () => Date.now() + 40_000 });
      expect(ahead.clock).toMatchObject({
        state: 'fail',
        said: expect.stringMatching(/^The clock here is (40\.\d|39\.9) s ahead/),
      });
      const behind = await examined(at('ready'), { now: () => Date.now() - 8_000 });
      expect(behind.clock).toMatchObject({ state: 'warn', said: expect.stringContaining('s behind') });
    });

    it('says what waits in outboxes, and what was given up', async () => {
      await asOwner('ready', async (kysely) => {
        await kysely.transaction().execute(async (tx) => {
          await sql`set local role none`.execute(tx);
          await sql`insert into ingestion.outbox (id, tenant, type, data, created_at)
            values (gen_random_uuid(), 'a', 'x', '{}', now() - interval '5 minutes')`.execute(tx);
          await sql`insert into embedding.dead_letters (id, tenant, source, name, key, failure)
            values (gen_random_uuid(), 'a', 'job', 'embedding.index-text', 'k', '{}')`.execute(tx);
        });
      });
      const found = await examined(at('ready'));
      expect(found.outbox).toMatchObject({
        state: 'warn',
        said: 'Not gone out yet: ingestion 1 event, the oldest for 5 min.',
      });
      expect(found['dead letters']).toMatchObject({
        state: 'warn',
        said: 'Given up: embedding 1 job of embedding.index-text.',
      });
    });
  });

  it('fails for a wrong password and an unknown database, without repeating the password', async () => {
    const wrong = await examined(at('ready', 'service', 'wrong-password'));
    expect(Object.values(wrong)).toMatchObject([
      { name: 'postgres', state: 'fail', said: expect.stringContaining('The password is refused') },
    ]);
    expect(JSON.stringify(wrong)).not.toContain('wrong-password');
    expect((await examined(at('nowhere', 'postgres'))).postgres?.said).toContain('There is no such database');
  });

  it('that is stopped, or says nothing, holds nobody up', async () => {
    const wire = await startWire(server.url);
    await wire.cut();
    const stopped = await examined(wire.url);
    expect(stopped.postgres).toMatchObject({ state: 'fail', said: expect.stringContaining('Nothing listens there') });
    const silent = await startSilentServer();
    const began = Date.now();
    const found = await examined(`postgres://a:b@${silent.host}/x`, { limitMs: 500 });
    expect(found.postgres).toMatchObject({
      state: 'fail',
      said: `Postgres at ${silent.host} did not answer within 0.5 s.`,
    });
    expect(Date.now() - began).toBeLessThan(2_000);
    await silent.close();
  });

  it('is not asked where none is configured', async () => {
    expect(await examinePostgres(patientOf())).toMatchObject([{ state: 'skipped', said: 'DATABASE_URL is not set.' }]);
    expect(await examinePostgres(patientOf({ DATABASE_URL: 'mysql://x' }))).toMatchObject([
      { state: 'skipped', said: 'DATABASE_URL can not be read, so it was not tried.' },
    ]);
  });
});
