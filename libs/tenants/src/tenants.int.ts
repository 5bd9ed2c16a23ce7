import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Chunking,
  CHUNKINGS,
  GATEWAY_SUBJECT,
  identitySeal,
  newId,
  tenantProfile,
  TenantId,
  verifyKey,
} from '@postmaster/contracts';
import { localRequests } from '@postmaster/bus';
import { type OpenDatabase, openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { sql } from 'kysely';
import {
  answerTenantRequests,
  DEFAULT_TENANT,
  ensureDefaultTenant,
  hashOfSecret,
  newSecret,
  secretBox,
  TENANTS_SCHEMA,
  type TenantsTables,
  tenantsMigrations,
  tenantsUseCases,
} from './index.js';
import { startSubgraph, createLog, type RunningSubgraph } from '@postmaster/service';
import { graphql } from 'graphql';
import { tenantsModule, tenantsTypeDefs } from './nest/index.js';

const seal = identitySeal(new TextEncoder().encode('a secret of the right length, 32+'));
const requests = localRequests(seal);
const nobody = TenantId.parse('gateway');
const ours = TenantId.parse('ours');
const theirs = TenantId.parse('theirs');
const now = () => new Date('2026-11-21T09:30:00Z');

let database: OpenDatabase;
let db: Database<TenantsTables>;
let tenants: ReturnType<typeof tenantsUseCases>;
let subgraph: RunningSubgraph;
const box = secretBox([Buffer.from('a secret of at least 32 characters')]);
const probe = { languageModel: () => Promise.resolve() };
const ports = () => ({
  ...{ db, now, newId, newSecret, requests, seal, probe, answers: box, secrets: box },
  onError: (error: unknown) => expect(error).toBeUndefined(),
});

beforeAll(async () => {
  database = await openMemoryDatabase([{ schema: TENANTS_SCHEMA, migrations: tenantsMigrations }]);
  db = databaseOf<TenantsTables>(database.kysely, TENANTS_SCHEMA);
  tenants = tenantsUseCases(ports());
  answerTenantRequests(ports());
  subgraph = await startSubgraph({
    name: 'tenants',
    module: tenantsModule(tenants),
    typeDefs: tenantsTypeDefs(),
    seal,
    log: createLog({ name: 'test', level: 'silent', pretty: false }),
  });
  await tenants.createTenant({ id: 'ours', name: 'Ours' });
  await tenants.createTenant({ id: 'theirs', name: 'Theirs' });
}, 60_000);
afterAll(async () => {
  await subgraph.close();
  await database.close();
});

const gateway = () => seal.sign({ tenant: nobody, subject: GATEWAY_SUBJECT, scopes: ['operator'] });
const whose = async (secret: string) =>
  (await requests.ask(verifyKey, await gateway(), { keyHash: hashOfSecret(secret) })).key;

describe('a key', () => {
  it('is shown once and kept as its hash only', async () => {
    const { secret, key } = await tenants.createKey(ours, { name: 'reader', scopes: ['read', 'read'] });
    expect(secret).toMatch(/^pm_[\w-]{43}$/);
    expect(key).toMatchObject({ name: 'reader', scopes: ['read'], createdAt: now(), revokedAt: null });
    const kept = await db.asTenant(ours, (tx) => tx.selectFrom('keys').selectAll().execute());
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(kept.map(({ hash }) => hash)).toContain(hashOfSecret(secret));
  });

  it('is known to the gateway by its hash, with its tenant and scopes, until it is revoked', async () => {
    const { secret, key } = await tenants.createKey(theirs, { name: 'writer', scopes: ['read', 'write'] });
    expect(await whose(secret)).toEqual({ id: key.id, tenant: 'theirs', scopes: ['read', 'write'] });
    expect(await whose('pm_unknown')).toBeNull();
    expect(await tenants.revokeKey(theirs, key.id)).toMatchObject({ revokedAt: now() });
    expect(await whose(secret)).toBeNull();
  });

  it('is told to the gateway only', async () => {
    const token = await seal.sign({ tenant: ours, subject: 'key-1', scopes: ['read', 'admin'] });
    await expect(requests.ask(verifyKey, token, { keyHash: hashOfSecret('x') })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('is never an operator’s, nor without a name or scope', async () => {
    const make = (name: string, scopes: ('read' | 'operator')[]) => tenants.createKey(ours, { name, scopes });
    await expect(make('x', ['operator'])).rejects.toMatchObject({ code: 'INPUT_INVALID', field: 'scopes' });
    await expect(make('x', [])).rejects.toMatchObject({ code: 'INPUT_INVALID', field: 'scopes' });
    await expect(make('  ', ['read'])).rejects.toMatchObject({ code: 'INPUT_INVALID', field: 'name' });
  });
});

describe('row-level security', () => {
  it('opens to the system role one key, the one whose hash it names, and of tenants their ids', async () => {
    const { secret } = await tenants.createKey(ours, { name: 'one', scopes: ['read'] });
    const count = (hash: string) =>
      db.asSystem(async (tx) => {
        await sql`select set_config('app.key_hash', ${hash}, true)`.execute(tx);
        return (await tx.selectFrom('keys').select('id').execute()).length;
      });
    expect(await count(hashOfSecret(secret))).toBe(1);
    expect(await count('')).toBe(0);
    const ids = await db.asSystem((tx) => tx.selectFrom('tenants').select('tenant').execute());
    expect(ids.map(({ tenant }) => tenant)).toEqual(expect.arrayContaining(['ours', 'theirs']));
    await expect(db.asSystem((tx) => tx.selectFrom('tenants').selectAll().execute())).rejects.toThrow(
      'permission denied',
    );
    await expect(db.asSystem((tx) => tx.updateTable('keys').set({ revoked_at: null }).execute())).rejects.toThrow(
      'permission denied',
    );
  });

  it('gives a tenant nothing of another, whatever the query leaves out', async () => {
    const seen = await db.asTenant(ours, (tx) => tx.selectFrom('keys').select('tenant').execute());
    expect(new Set(seen.map(({ tenant }) => tenant))).toEqual(new Set(['ours']));
    const { id } = (await tenants.readKeys(theirs))[0] ?? { id: '' };
    await expect(tenants.revokeKey(ours, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await tenants.readKeys(theirs)).find((key) => key.id === id)).toBeDefined();
  });
});

describe('a tenant', () => {
  it('is made once, with its first key', async () => {
    const { tenant, key } = await tenants.createTenant({ id: 'new-one', name: 'New one' });
    expect(tenant).toMatchObject({ id: 'new-one', paragraphWords: 120, longParagraphs: 'split' });
    expect(await whose(key.secret)).toMatchObject({ tenant: 'new-one', scopes: ['read', 'write', 'admin'] });
    await expect(tenants.createTenant({ id: 'new-one', name: 'Again' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await tenants.readKeys(tenant.id)).toHaveLength(1);
  });

  it('has an id that is safe in subjects and folders, and not the system’s own', async () => {
    for (const id of ['Ours', 'a.b', '', 'gateway', 'x'.repeat(41)])
      await expect(tenants.createTenant({ id, name: 'x' })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        field: 'id',
      });
  });

  it('changes what is given and nothing else, and the other services see it', async () => {
    await tenants.updateTenant(ours, { paragraphWords: 200 });
    await tenants.updateTenant(ours, { longParagraphs: 'refuse' });
    await tenants.updateTenant(ours, { chunking: 'parent-child' });
    await tenants.updateTenant(ours, {});
    const token = await seal.sign({ tenant: ours, subject: 'service:ingestion', scopes: ['read'] });
    expect(await requests.ask(tenantProfile, token, {})).toEqual({
      tenant: 'ours',
      name: 'Ours',
      paragraphWords: 200,
      longParagraphs: 'refuse',
      chunking: 'parent-child',
      search: {},
    });
    await expect(tenants.updateTenant(ours, { paragraphWords: 19 })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    const unknown = 'pages' as Chunking; // as a caller without types may send it
    await expect(tenants.updateTenant(ours, { chunking: unknown })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      field: 'chunking',
      message: expect.stringContaining(CHUNKINGS.join(', ')),
    });
    await expect(tenants.updateTenant(nobody, { name: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the default tenant', () => {
  const ensure = (known: { configured?: string; kept?: string }) => ensureDefaultTenant(ports())(known);

  it('gets a key on the first start and keeps it on the next', async () => {
    const first = await ensure({});
    expect(first.isNew).toBe(true);
    expect(await whose(first.secret)).toMatchObject({ tenant: 'default', scopes: ['read', 'write', 'admin'] });
    expect(await ensure({ kept: first.secret })).toEqual({ secret: first.secret, isNew: false });
  });

  it('gets a new key where the kept one is unknown, revoked or another tenant’s', async () => {
    const { secret: revoked } = await ensure({});
    await tenants.revokeKey(DEFAULT_TENANT, (await whose(revoked))?.id ?? '');
    const { secret: another } = await tenants.createKey(ours, { name: 'x', scopes: ['read'] });
    for (const kept of [revoked, another, 'pm_unknown']) {
      const { secret, isNew } = await ensure({ kept });
      expect(isNew).toBe(true);
      expect(await whose(secret)).toMatchObject({ tenant: 'default' });
    }
  });

  it('takes the configured key, and refuses the one that was configured before', async () => {
    expect(await ensure({ configured: 'first configured key' })).toEqual({
      secret: 'first configured key',
      isNew: false,
    });
    await ensure({ configured: 'second configured key' });
    expect(await whose('first configured key')).toBeNull();
    expect(await whose('second configured key')).toMatchObject({ tenant: 'default' });
    await ensure({ configured: 'first configured key' });
    expect(await whose('first configured key')).toMatchObject({ tenant: 'default' });
    expect(await whose('second configured key')).toBeNull();
  });

  it('does not take a key that is another tenant’s', async () => {
    const { secret } = await tenants.createKey(ours, { name: 'x', scopes: ['read'] });
    await expect(ensure({ configured: secret })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(await whose(secret)).toMatchObject({ tenant: 'ours' });
  });

  it('comes out the same when two processes start at once', async () => {
    await Promise.all([ensure({ configured: 'shared by both' }), ensure({ configured: 'shared by both' })]);
    expect(await whose('shared by both')).toMatchObject({ tenant: 'default' });
  });
});

describe('the subgraph of tenants', () => {
  const ask = async (source: string, tenant: TenantId, scopes: ('read' | 'write' | 'admin' | 'operator')[]) => {
    const token = await seal.sign({ tenant, subject: 'someone', scopes });
    const contextValue = await subgraph.context({ token, requestId: 'r1' });
    const { data, errors } = await graphql({ schema: subgraph.schema, source, contextValue });
    return { ...data, ...(errors ? { codes: errors.map(({ extensions }) => extensions.code) } : {}) };
  };
  const REFUSED = '... on Refused { code message next field }';

  it('makes and revokes keys for an admin', async () => {
    const made = await ask(
      `mutation { createKey(input: { name: "ci", scopes: [READ, WRITE] }) { __typename ... on NewKey { secret key { id scopes createdAt revokedAt } } } }`,
      ours,
      ['admin'],
    );
    expect(made).toMatchObject({
      createKey: {
        __typename: 'NewKey',
        key: { scopes: ['READ', 'WRITE'], createdAt: '2026-11-21T09:30:00.000Z', revokedAt: null },
      },
    });
    const { id } = (await tenants.readKeys(ours)).find(({ name }) => name === 'ci') ?? { id: '' };
    const revoke = `mutation { revokeKey(id: "${id}") { ... on Key { id revokedAt } ${REFUSED} } }`;
    expect(await ask(revoke, theirs, ['admin'])).toMatchObject({ revokeKey: { code: 'NOT_FOUND', field: 'id' } });
    expect(await ask(revoke, ours, ['admin'])).toEqual({ revokeKey: { id, revokedAt: '2026-11-21T09:30:00.000Z' } });
    expect(await ask('{ keys { name } }', ours, ['admin'])).toMatchObject({
      keys: expect.arrayContaining([{ name: 'ci' }]),
    });
    expect(JSON.stringify(await ask('{ keys { name } }', theirs, ['admin']))).not.toContain('"ci"');
  });

  it('makes tenants for the operator only', async () => {
    const create = `mutation { createTenant(input: { id: "by-graph", name: "G" }) { ... on NewTenant { tenant { id longParagraphs } key { secret key { scopes } } } ${REFUSED} } }`;
    expect(await ask(create, ours, ['read', 'write', 'admin'])).toMatchObject({ createTenant: { code: 'FORBIDDEN' } });
    expect(await ask(create, nobody, ['operator'])).toMatchObject({
      createTenant: {
        tenant: { id: 'by-graph', longParagraphs: 'SPLIT' },
        key: { key: { scopes: ['READ', 'WRITE', 'ADMIN'] } },
      },
    });
    expect(await ask(create, nobody, ['operator'])).toMatchObject({ createTenant: { code: 'CONFLICT' } });
  });

  it('changes the caller’s own tenant for an admin', async () => {
    const update = (given: string) =>
      `mutation { updateTenant(input: { ${given} }) { ... on Tenant { id paragraphWords longParagraphs chunking } ${REFUSED} } }`;
    expect(
      await ask(update('paragraphWords: 80, longParagraphs: REFUSE, chunking: SENTENCE_WINDOWS'), theirs, ['admin']),
    ).toEqual({
      updateTenant: { id: 'theirs', paragraphWords: 80, longParagraphs: 'REFUSE', chunking: 'SENTENCE_WINDOWS' },
    });
    expect(await ask(update('name: ""'), theirs, ['admin'])).toMatchObject({
      updateTenant: { code: 'INPUT_INVALID', field: 'name' },
    });
    expect(await ask(update('name: "x"'), theirs, ['write'])).toMatchObject({ updateTenant: { code: 'FORBIDDEN' } });
    expect(await ask('{ tenant { id paragraphWords } }', theirs, ['read'])).toEqual({
      tenant: { id: 'theirs', paragraphWords: 80 },
    });
  });

  it('keeps search settings, each by itself, until they are the product’s again', async () => {
    const shown = 'search { fusion rrfK temperature minRelevance weights { paragraph simpleQuestions lexical } }';
    const set = async (given: string) => {
      const input = `input: { search: { ${given} } }`;
      return ask(`mutation { updateTenant(${input}) { ... on Tenant { ${shown} } ${REFUSED} } }`, theirs, ['admin']);
    };
    const none = { fusion: null, rrfK: null, temperature: null, minRelevance: null, weights: null };
    expect(await ask(`{ tenant { ${shown} } }`, theirs, ['read'])).toEqual({ tenant: { search: none } });
    await set('fusion: Z_SCORE, rrfK: 10, weights: { simpleQuestions: 2, lexical: 0 }');
    const weights = { paragraph: null, simpleQuestions: 2, lexical: 0 };
    expect(await set('minRelevance: 0.2, rrfK: null')).toEqual({
      updateTenant: { search: { ...none, fusion: 'Z_SCORE', minRelevance: 0.2, weights } },
    });
    const token = await seal.sign({ tenant: theirs, subject: 'service:retrieval', scopes: ['read'] });
    expect((await requests.ask(tenantProfile, token, {})).search).toEqual({
      ...{ fusion: 'z-score', minRelevance: 0.2, weights: { simple_questions: 2, lexical: 0 } },
    });
    expect(await ask(`{ tenant { ${shown} } }`, ours, ['read'])).toEqual({ tenant: { search: none } });
    expect(await set('fusion: null, minRelevance: null, weights: null')).toEqual({ updateTenant: { search: none } });
  });

  it.each([
    ['temperature: 0', 'search.temperature'],
    ['minRelevance: 1.5', 'search.minRelevance'],
    ['rrfK: -1', 'search.k'],
    ['weights: { lexical: -1 }', 'search.weights.lexical'],
    [
      'weights: { paragraph: 0, simpleQuestions: 0, complexQuestions: 0, context: 0, scope: 0, lexical: 0 }',
      'search.weights',
    ],
  ])('refuses the search settings %s', async (given, field) => {
    const update = `mutation { updateTenant(input: { search: { ${given} } }) { ... on Tenant { id } ${REFUSED} } }`;
    expect(await ask(update, theirs, ['admin'])).toMatchObject({ updateTenant: { code: 'INPUT_INVALID', field } });
  });

  it('shows keys to an admin only', async () => {
    expect(await ask('{ keys { name } }', ours, ['read', 'write'])).toMatchObject({ codes: ['FORBIDDEN'] });
  });
});
