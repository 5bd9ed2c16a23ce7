import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CodedError,
  type EntitiesBy,
  identitySeal,
  type ModelChoice,
  newId,
  ownModels,
  type OwnModels,
  TenantId,
} from '@postmaster/contracts';
import { localRequests } from '@postmaster/bus';
import { type OpenDatabase, openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { sql } from 'kysely';
import {
  answerTenantRequests,
  newSecret,
  secretBox,
  TENANTS_SCHEMA,
  type TenantsTables,
  tenantsMigrations,
  tenantsUseCases,
} from './index.js';

const seal = identitySeal(new TextEncoder().encode('a secret of the right length, 32+'));
const requests = localRequests(seal);
const ours = TenantId.parse('ours');
const theirs = TenantId.parse('theirs');
const box = secretBox([Buffer.from('a secret of at least 32 characters')]);

/** Whom the probe was told to try; one named "dead" does not answer. */
const tried: ModelChoice[] = [];
const probe = {
  languageModel: (choice: ModelChoice) => {
    tried.push(choice);
    const dead = new CodedError('MODEL_UNREACHABLE', 'It does not answer.');
    return choice.model === 'dead' ? Promise.reject(dead) : Promise.resolve();
  },
};

let database: OpenDatabase;
let db: Database<TenantsTables>;
let tenants: ReturnType<typeof tenantsUseCases>;

const told = async (tenant = ours): Promise<OwnModels> =>
  requests.ask(ownModels, await seal.sign({ tenant, subject: 'service:enrichment', scopes: ['read'] }), {});

beforeAll(async () => {
  database = await openMemoryDatabase([{ schema: TENANTS_SCHEMA, migrations: tenantsMigrations }]);
  db = databaseOf<TenantsTables>(database.kysely, TENANTS_SCHEMA);
  const ports = {
    ...{
      db,
      now: () => new Date('2026-11-21T09:30:00Z'),
      newId,
      newSecret,
      requests,
      seal,
      answers: box,
      secrets: box,
    },
    probe,
    onError: (error: unknown) => expect(error).toBeUndefined(),
  };
  tenants = tenantsUseCases(ports);
  answerTenantRequests(ports);
  await tenants.createTenant({ id: 'ours', name: 'Ours' });
  await tenants.createTenant({ id: 'theirs', name: 'Theirs' });
}, 60_000);
afterAll(() => database.close());

describe('what services are told of a tenant’s models', () => {
  it('is who reads its entities: the server’s choice until it makes one', async () => {
    expect(await told()).toEqual({ version: 0, llmModel: null, entitiesBy: 'server' });
    await tenants.updateTenant(ours, { entitiesBy: 'model' });
    expect((await told()).entitiesBy).toBe('model');
    expect((await told(theirs)).entitiesBy).toBe('server');
    await tenants.updateTenant(ours, { name: 'Ours alone' });
    expect((await told()).entitiesBy).toBe('model');
    const unknown = 'anybody' as EntitiesBy; // as a caller without types may send it
    await expect(tenants.updateTenant(ours, { entitiesBy: unknown })).rejects.toMatchObject({
      ...{ code: 'INPUT_INVALID', field: 'entitiesBy' },
    });
  });

  it('is its chain, each of it tried by itself and its secrets opened; nobody else is shown them', async () => {
    const first = { model: 'one', url: 'https://one.example.org/v1', apiKey: 'sk-of-the-first-model-x7Qd' };
    const fallbacks = [
      { model: 'anthropic:two', apiKey: 'sk-of-the-second-model-p3Rt' },
      { model: 'ollama:three', url: 'https://three.example.org' },
    ];
    tried.length = 0;
    const shown = await tenants.setModelProfile(ours, { llmModel: { ...first, fallbacks } });
    expect(tried).toEqual([first, ...fallbacks]);
    expect(shown.checks.map(({ part, ok }) => [part, ok])).toEqual([
      ['llm_model', true],
      ['llm_model.fallbacks.0', true],
      ['llm_model.fallbacks.1', true],
    ]);
    expect((await told()).llmModel).toEqual({ ...first, fallbacks });
    const again = await tenants.showModelProfile(ours);
    expect(again!.profile.llmModel).toMatchObject({ apiKey: '…x7Qd', fallbacks: [{ apiKey: '…p3Rt' }, {}] });
    const stored = await database.kysely
      .transaction()
      .execute((tx) =>
        sql<{ row: string }>`select model_profiles::text as row from tenants.model_profiles`.execute(tx),
      );
    expect(JSON.stringify([shown, again, stored.rows])).not.toContain('sk-of');
  });

  it('has no secret that another place of the profile opens', async () => {
    const key = 'sk-of-the-second-model-p3Rt';
    await tenants.setModelProfile(ours, { llmModel: { model: 'one', fallbacks: [{ model: 'two', apiKey: key }] } });
    const moved = sql`update tenants.model_profiles set choices =
      jsonb_set(choices, '{llmModel,apiKey}', choices #> '{llmModel,fallbacks,0,apiKey}') where tenant = 'ours'`;
    expect((await db.asTenant(ours, (tx) => moved.execute(tx))).numAffectedRows).toBe(1n);
    await expect(told()).rejects.toMatchObject({ code: expect.any(String) });
  });

  it.each<[string, object, object]>([
    ['a fallback that does not answer', { fallbacks: [{ model: 'dead' }] }, { field: 'llm_model.fallbacks.0' }],
    ['more than three fallbacks', { fallbacks: Array(4).fill({ model: 'm' }) }, { field: 'llmModel.fallbacks' }],
    ['fallbacks of a fallback', { fallbacks: [{ model: 'm', fallbacks: [] }] }, { field: 'llmModel.fallbacks.0' }],
    [
      'an address with a secret in it',
      { fallbacks: [{ model: 'm', url: 'https://x.example.org/?key=sk-1' }] },
      { field: 'llmModel.fallbacks.0.url' },
    ],
  ])('is not changed by %s', async (_, more, problem) => {
    const before = await tenants.showModelProfile(theirs);
    const given = { llmModel: { model: 'one', ...more } };
    await expect(tenants.setModelProfile(theirs, given)).rejects.toMatchObject(problem);
    expect(await tenants.showModelProfile(theirs)).toEqual(before);
  });

  it('is no chain of an encoder', async () => {
    const encodingModel = { model: 'all-MiniLM-L6-v2', fallbacks: [{ model: 'm' }] };
    await expect(tenants.setModelProfile(theirs, { encodingModel })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
