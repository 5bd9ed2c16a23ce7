import { afterAll, beforeEach, expect, it } from 'vitest';
import { newId, tenantBudgets, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { told, until } from '@postmaster/testing';
import { RETRIEVAL_SCHEMA, retrievalMigrations, type RetrievalTables } from '../index.js';
import { outboxLedger } from './outbox-ledger.js';

const memory = await openMemoryDatabase([{ schema: RETRIEVAL_SCHEMA, migrations: retrievalMigrations }]);
const rows = databaseOf<RetrievalTables>(memory.kysely, RETRIEVAL_SCHEMA);
afterAll(() => memory.close());

const PAID = { model: 'openai:m', calls: 1, inputTokens: 20, outputTokens: 10, cachedTokens: 0 };
const OUT = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

let outages: Error[];
let errors: unknown[];
let tenant: TenantId;
/** The rows, out of reach as long as there are outages left. */
const db: Database<RetrievalTables> = {
  ...rows,
  asTenant: (of, act) => {
    const out = outages.shift();
    return out ? Promise.reject(out) : rows.asTenant(of, act);
  },
};
const ledgerOf = () =>
  outboxLedger({
    db,
    budgets: tenantBudgets(async () => ({ used: null, tokensLeft: null })),
    onError: (error) => errors.push(error),
  });
const written = () => told(rows as Database<unknown>, tenant, 'model.called');

beforeEach(() => {
  [outages, errors] = [[], []];
  tenant = TenantId.parse(`t-${newId().slice(-12)}`);
});

it('what was told while the rows were out of reach is written when they are back', async () => {
  outages = [OUT, OUT];
  ledgerOf().tell(tenant, 'answers', PAID);
  expect(await until(async () => (await written())[0])).toEqual({ ...PAID, task: 'answers', document: '', version: 0 });
  expect([outages, errors]).toEqual([[], []]);
});

it('a stop waits for what is being written, and for no outage', async () => {
  const ledger = ledgerOf();
  ledger.tell(tenant, 'plans', PAID);
  await ledger.close();
  expect(await written()).toHaveLength(1);
  outages = [OUT, OUT];
  const other = ledgerOf();
  other.tell(tenant, 'plans', PAID);
  await other.close();
  expect([errors, (await written()).length]).toEqual([[OUT], 1]);
});

it('a surprise is told of and not tried again', async () => {
  outages = [new Error('odd')];
  const ledger = ledgerOf();
  ledger.tell(tenant, 'grades', PAID);
  await ledger.close();
  expect(errors).toMatchObject([{ message: 'odd' }]);
});
