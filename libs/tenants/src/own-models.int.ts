import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EntitiesBy, identitySeal, newId, ownModels, type OwnModels, TenantId } from '@postmaster/contracts';
import { localRequests } from '@postmaster/bus';
import { type OpenDatabase, openMemoryDatabase } from '@postmaster/database';
import { databaseOf } from '@postmaster/durable';
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

let database: OpenDatabase;
let tenants: ReturnType<typeof tenantsUseCases>;

const told = async (tenant = ours): Promise<OwnModels> =>
  requests.ask(ownModels, await seal.sign({ tenant, subject: 'service:enrichment', scopes: ['read'] }), {});

beforeAll(async () => {
  database = await openMemoryDatabase([{ schema: TENANTS_SCHEMA, migrations: tenantsMigrations }]);
  const db = databaseOf<TenantsTables>(database.kysely, TENANTS_SCHEMA);
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
    probe: { languageModel: () => Promise.resolve() },
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
});
