import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase, type OpenDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { secretBox, TENANTS_SCHEMA, type TenantsTables, tenantsMigrations } from './index.js';
import { beginWrite, endWrite, holdWrite, sweepWrites } from './write-once.js';

const ours = TenantId.parse('ours');
const theirs = TenantId.parse('theirs');
const [print, other] = ['a'.repeat(64), 'b'.repeat(64)];
const ANSWER = { print, status: 202, location: '/x', body: '{"secret":"pm_canary"}' };
const HOUR = 3_600_000;

let database: OpenDatabase;
let db: Database<TenantsTables>;
let time = Date.parse('2026-11-21T09:30:00Z');
const now = () => new Date(time);
const answers = secretBox([Buffer.from('a secret of at least 32 characters')]);
const begin = (tenant: TenantId, key: string, of: string | null = print) =>
  beginWrite({ db, now, newId, answers })(tenant, key, of);
const claimed = async (key: string, of: string | null = print): Promise<string> => {
  const begun = await begin(ours, key, of);
  if (begun.state !== 'begun') throw new Error('The key has an answer already.');
  return begun.claim;
};
const end = (key: string, claim: string, answer: typeof ANSWER | null) =>
  endWrite({ db, answers })(ours, key, claim, answer);
const rows = () => db.asTenant(ours, (tx) => tx.selectFrom('writes').selectAll().execute());

beforeAll(async () => {
  database = await openMemoryDatabase([{ schema: TENANTS_SCHEMA, migrations: tenantsMigrations }]);
  db = databaseOf<TenantsTables>(database.kysely, TENANTS_SCHEMA);
}, 60_000);
afterAll(() => database.close());

describe('an Idempotency-Key', () => {
  it('gives the same request the same answer, and no other request any', async () => {
    await end('k1', await claimed('k1'), ANSWER);
    expect(await begin(ours, 'k1')).toEqual({ state: 'told', ...ANSWER });
    expect(await begin(ours, 'k1', null)).toEqual({ state: 'told', ...ANSWER });
    await expect(begin(ours, 'k1', other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 409 });
  });

  it('is one of its tenant alone', async () => {
    expect(await begin(theirs, 'k1', other)).toMatchObject({ state: 'begun' });
    const seen = await db.asTenant(theirs, (tx) => tx.selectFrom('writes').select('tenant').execute());
    expect(new Set(seen.map(({ tenant }) => tenant))).toEqual(new Set(['theirs']));
  });

  it('keeps its answer sealed', async () => {
    expect(JSON.stringify(await rows())).not.toMatch(/canary|"status"/);
  });

  it('is refused while its first request goes on, whichever the second is', async () => {
    const claim = await claimed('k2');
    await expect(begin(ours, 'k2')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS', retryAfter: 2 });
    await expect(begin(ours, 'k2', other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    time += 50_000;
    await holdWrite({ db, now })(ours, 'k2', claim);
    time += 50_000;
    await expect(begin(ours, 'k2')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
  });

  it('frees itself a minute after its process died, for the same request', async () => {
    const dead = await claimed('k3');
    time += 61_000;
    await expect(begin(ours, 'k3', other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const claim = await claimed('k3');
    await end('k3', dead, { ...ANSWER, body: '"of the dead"' });
    await end('k3', claim, ANSWER);
    expect(await begin(ours, 'k3')).toMatchObject({ body: ANSWER.body });
  });

  it('is free after a failure', async () => {
    await end('k4', await claimed('k4'), null);
    expect(await begin(ours, 'k4', other)).toMatchObject({ state: 'begun' });
  });

  it('goes to one of several who ask at once', async () => {
    const asked = await Promise.allSettled([1, 2, 3, 4].map(() => begin(ours, 'k5')));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is forgotten after 24 hours, and its row swept', async () => {
    await end('k6', await claimed('k6'), ANSWER);
    time += 23 * HOUR;
    await sweepWrites({ db, now })();
    expect(await begin(ours, 'k6')).toMatchObject({ state: 'told' });
    time += HOUR;
    expect(await begin(ours, 'k6', other)).toMatchObject({ state: 'begun' });
    time += 25 * HOUR;
    await sweepWrites({ db, now })();
    expect(await rows()).toEqual([]);
  });
});
