import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localRequests } from '@postmaster/bus';
import {
  beginWrite,
  CodedError,
  deletionRequests,
  ErasingService,
  GATEWAY_SUBJECT,
  identitySeal,
  newId,
  TenantId,
  verifyKey,
} from '@postmaster/contracts';
import { type OpenDatabase, openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf, tenantLeft } from '@postmaster/durable';
import { until } from '@postmaster/testing';
import {
  answerTenantRequests,
  eraseTenants,
  hashOfSecret,
  newSecret,
  secretBox,
  TENANTS_SCHEMA,
  type TenantsTables,
  tenantsMigrations,
  tenantsUseCases,
} from './index.js';

const seal = identitySeal(new TextEncoder().encode('a secret of the right length, 32+'));
const requests = localRequests(seal);
const now = () => new Date('2026-11-21T09:30:00Z');
const unforeseen: unknown[] = [];
let database: OpenDatabase;
let db: Database<TenantsTables>;
let tenants: ReturnType<typeof tenantsUseCases>;
const box = secretBox([Buffer.from('a secret of at least 32 characters')]);
const probe = { languageModel: () => Promise.resolve() };
const ports = () => ({
  ...{ db, now, newId, newSecret, requests, seal, answers: box, secrets: box, probe },
  onError: (error: unknown) => unforeseen.push(error),
});

beforeAll(async () => {
  database = await openMemoryDatabase([{ schema: TENANTS_SCHEMA, migrations: tenantsMigrations }]);
  db = databaseOf<TenantsTables>(database.kysely, TENANTS_SCHEMA);
  tenants = tenantsUseCases(ports());
  answerTenantRequests(ports());
  await tenants.createTenant({ id: 'ours', name: 'Ours' });
}, 60_000);
afterAll(() => database.close());

const whose = async (secret: string) => {
  const gateway = { tenant: TenantId.parse('gateway'), subject: GATEWAY_SUBJECT, scopes: ['operator' as const] };
  return (await requests.ask(verifyKey, await seal.sign(gateway), { keyHash: hashOfSecret(secret) })).key;
};

describe('a tenant that is deleted', () => {
  const steps = new Map<string, number>();
  let away: string | undefined;
  beforeAll(() => {
    for (const service of ErasingService.options) {
      const { closeTenant, eraseTenant, countTenant } = deletionRequests(service);
      const there = (): void => {
        if (away === service) throw new CodedError('SERVICE_UNAVAILABLE', 'It is away.');
      };
      requests.answer(closeTenant, async () => (there(), { closed: true }));
      requests.answer(eraseTenant, async () => {
        there();
        const left = (steps.get(service) ?? 3) - 1;
        steps.set(service, left);
        return { ended: left <= 0 };
      });
      requests.answer(countTenant, async () => {
        there();
        return { places: [{ place: 'rows', left: Math.max(0, steps.get(service) ?? 3), kept: null }] };
      });
    }
  });

  it('has no key from then on, and is erased when every service has erased it, whichever was away', async () => {
    const leaving = TenantId.parse('leaving');
    const { key } = await tenants.createTenant({ id: leaving, name: 'Leaving' });
    await tenants.setModelProfile(leaving, { llmModel: { model: 'own', apiKey: 'a key of its own' } });
    const asker = await seal.sign({ tenant: leaving, subject: 'key-1', scopes: ['write'] });
    await requests.ask(beginWrite, asker, { key: 'once', print: null });
    away = 'enrichment';
    const begun = await tenants.deleteTenant('leaving');
    expect(begun).toMatchObject({ tenant: 'leaving', complete: false });
    expect(begun.services.find(({ service }) => service === 'enrichment')).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE' },
    });
    expect(await whose(key.secret)).toBeNull();
    const stop = eraseTenants(ports());
    await until(async () => (unforeseen.length > 1 ? true : undefined));
    expect((await tenants.tenantDeletion('leaving'))?.complete).toBe(false);
    away = undefined;
    await until(async () => ((await tenants.tenantDeletion('leaving'))?.complete ? true : undefined));
    await stop();
    const left = await db.evenClosed(leaving, tenantLeft);
    expect(left.map(({ place }) => place)).toEqual(
      expect.arrayContaining(['costs', 'keys', 'model profiles', 'tenants', 'writes']),
    );
    expect(left.filter((one) => one.left > 0)).toEqual([]);
    await expect(tenants.createTenant({ id: 'leaving', name: 'Again' })).rejects.toMatchObject({
      code: 'TENANT_DELETED',
    });
    expect(await tenants.deleteTenant('leaving')).toMatchObject({ complete: true });
  });

  it('was there, and is not the one that every start makes', async () => {
    await expect(tenants.deleteTenant('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(tenants.deleteTenant('default')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(tenants.deleteTenant('No Id')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await tenants.tenantDeletion('ours')).toBeNull();
  });
});
