import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  dropEvaluation,
  EVALUATION_LIMITS,
  fillEvaluation,
  findEvaluation,
  Identity,
  openEvaluation,
  TenantId,
} from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { databaseOf, outsideTransactions } from '@postmaster/durable';
import { FakeEncoder, FakePointStore, FakeRequests } from '@postmaster/testing';
import { sql } from 'kysely';
import { answerEvaluations, sweepEvaluations } from './hold-evaluations.js';
import { EMBEDDING_SCHEMA, embeddingMigrations, type EmbeddingTables } from './index.js';

const memory = await openMemoryDatabase([{ schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations }]);
const db = databaseOf<EmbeddingTables>(memory.kysely, EMBEDDING_SCHEMA);
const tenant = TenantId.parse('ours');

const paragraph = {
  ...{ id: 'p', document: 'd', title: 'T', position: 0, text: 'The boiler is in the cellar.' },
  facets: { simpleQuestions: ['Where is it?'], complexQuestions: [], context: 'A house.', scope: 'Boiler.' },
};

const setUp = () => {
  const store = new FakePointStore();
  const requests = new FakeRequests(async (token) =>
    Identity.parse({ tenant: token.replace('!', ''), subject: 'k', scopes: [token.endsWith('!') ? 'read' : 'admin'] }),
  );
  const encoder = new FakeEncoder();
  const ports = { db, encoder: outsideTransactions('encoder', encoder), store: outsideTransactions('store', store) };
  answerEvaluations(requests, ports);
  return { store, requests, encoder, ports };
};
let world: ReturnType<typeof setUp>;
beforeEach(async () => {
  await db.asTenant(tenant, (tx) => tx.deleteFrom('evaluations').execute());
  world = setUp();
});
afterAll(() => memory.close());

const begin = async () => (await world.requests.ask(openEvaluation, 'ours', {})).id;
const fill = (id: string, as = 'ours') => world.requests.ask(fillEvaluation, as, { id, paragraphs: [paragraph] });
/** Which of an evaluation's collections hold the paragraph. */
const holding = (id: string): string[] =>
  ['composite', 'plain', 'contextual', 'joined'].filter((collection) =>
    world.store.point(TenantId.parse(`evaluation-${id}`), `evaluation-${id}-${collection}`, 'p'),
  );

describe('evaluations', () => {
  it('are filled into indexes and a tenant of their own, which go with them', async () => {
    const id = await begin();
    expect(await fill(id)).toEqual({ paragraphs: 1 });
    expect(holding(id)).toEqual(['composite', 'plain', 'contextual', 'joined']);
    expect(await world.requests.ask(findEvaluation, 'ours', { id })).toMatchObject({
      tenant: `evaluation-${id}`,
      indexes: { plain: `evaluation-${id}-plain` },
    });
    await world.requests.ask(dropEvaluation, 'ours', { id });
    expect(holding(id)).toEqual([]);
    await expect(fill(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are nothing to another tenant, nor to who may not manage', async () => {
    const id = await begin();
    for (const [as, code] of [
      ['theirs', 'NOT_FOUND'],
      ['ours!', 'FORBIDDEN'],
    ] as const) {
      await expect(fill(id, as)).rejects.toMatchObject({ code });
      await expect(world.requests.ask(findEvaluation, as, { id })).rejects.toMatchObject({ code });
      await expect(world.requests.ask(dropEvaluation, as, { id })).rejects.toMatchObject({ code });
    }
    await expect(world.requests.ask(openEvaluation, 'ours!', {})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('are only so many for a tenant, and only so large', async () => {
    const ids = [];
    for (let count = 0; count < EVALUATION_LIMITS.perTenant; count++) ids.push(await begin());
    await expect(begin()).rejects.toMatchObject({ code: 'CONFLICT' });
    await db.asTenant(tenant, (tx) =>
      tx.updateTable('evaluations').set({ paragraphs: EVALUATION_LIMITS.paragraphs }).execute(),
    );
    await expect(fill(ids[0]!)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('leave nothing behind when they are dropped while they are filled', async () => {
    const id = await begin();
    let dropped = false;
    world.store.before = async () => {
      if (dropped) return;
      dropped = true;
      await world.requests.ask(dropEvaluation, 'ours', { id });
    };
    await expect(fill(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(holding(id)).toEqual([]);
  });

  it('are swept when nobody used them for long, and not before', async () => {
    const [left, used] = [await begin(), await begin()];
    for (const id of [left, used]) await fill(id);
    await db.asTenant(tenant, (tx) =>
      sql`update evaluations set used_at = now() - interval '61 minutes' where id = ${left}`.execute(tx),
    );
    await sweepEvaluations(world.ports);
    expect([holding(left), holding(used).length]).toEqual([[], 4]);
    await sweepEvaluations(world.ports, 0);
    expect(holding(used)).toEqual([]);
  });
});
