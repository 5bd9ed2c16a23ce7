import { describe, expect, it } from 'vitest';
import { patientOf } from '../test/patient-of.js';
import { contradictions, examineConfiguration } from './configuration.js';

const spread = {
  POSTMASTER_IDENTITY_SECRET: 'i'.repeat(32),
  DATABASE_URL: 'postgres://a:b@db/x',
  NATS_URL: 'nats://bus:4222',
  QDRANT_URL: 'http://qdrant:6333',
  BLOBS_URL: 'nats:postmaster-blobs',
};
const without = (name: keyof typeof spread): Record<string, string> =>
  Object.fromEntries(Object.entries(spread).filter(([one]) => one !== name));
const said = (env: Record<string, string>): string[] =>
  contradictions(patientOf(env)).map(({ state, said }) => `${state} ${said}`);

describe('the configuration', () => {
  it('of services apart that agrees says nothing but what it means', async () => {
    expect(said(spread)).toEqual([]);
    expect(await examineConfiguration(patientOf(spread))).toMatchObject([
      { name: 'configuration', state: 'ok', said: 'Services apart, on Postgres, NATS and Qdrant.' },
    ]);
  });

  it('of nothing means all in one process', async () => {
    expect(said({})).toEqual([]);
    expect((await examineConfiguration(patientOf()))[0]?.said).toMatch(
      /^All in one process \(embedded\), with its data in .*\.postmaster/,
    );
  });

  it.each([
    ['POSTMASTER_IDENTITY_SECRET', /^fail POSTMASTER_IDENTITY_SECRET is not set/],
    ['NATS_URL', /^warn NATS_URL is not set: services apart hear nothing/],
    ['DATABASE_URL', /^warn NATS_URL is set and DATABASE_URL is not/],
    ['QDRANT_URL', /^warn NATS_URL is set and QDRANT_URL is not/],
    ['BLOBS_URL', /^warn Documents’ bytes lie in a folder .*6 replicas/],
  ] as const)('of services apart without %s is said', (name, form) => {
    expect(said(without(name))[0]).toMatch(form);
  });

  it('takes a folder of blobs for one replica', () => {
    expect(contradictions(patientOf(without('BLOBS_URL'), { replicas: { ingestion: 1 } }))).toEqual([]);
  });

  it('names every variable that is set wrongly, without its value', async () => {
    const patient = patientOf({
      ...spread,
      POSTMASTER_IDENTITY_SECRET: 'short-one',
      EMBEDDING_ROLE: 'both',
      PORT: 'x',
    });
    const found = (await examineConfiguration(patient)).filter(({ state }) => state === 'fail');
    expect(found.map((one) => one.said)).toEqual([
      expect.stringMatching(/^PORT is "x"; it should be the port/),
      expect.stringMatching(/^EMBEDDING_ROLE is "both"; it should be one of query, bulk, all/),
      expect.stringMatching(/^POSTMASTER_IDENTITY_SECRET is set wrongly; .*32 characters/),
    ]);
    expect(JSON.stringify(found)).not.toContain('short-one');
  });

  it('names counts that are none, and reckons without them', async () => {
    const patient = patientOf({ ...spread, POSTMASTER_REPLICAS: 'posts=3', POSTMASTER_POOLS: 'tenants=7' });
    expect(patient).toMatchObject({ replicas: {}, pools: { tenants: 7 } });
    expect((await examineConfiguration(patient))[1]).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('POSTMASTER_REPLICAS names "posts"'),
    });
  });

  it('says which addresses the gateway lacks', () => {
    expect(said({ ...spread, TENANTS_URL: 'http://t', INGESTION_URL: 'http://i', EMBEDDING_URL: 'http://e' })).toEqual([
      expect.stringMatching(/^warn ENRICHMENT_URL and RETRIEVAL_URL are not set/),
    ]);
  });

  it('says what is not read, what lacks its other half, and what can not be met', () => {
    expect(said({ ...spread, LLM_API_KEY: 'k', NATS_USER: 'u', QDRANT_WRITE_CONSISTENCY: '2' })).toEqual([
      expect.stringMatching(/^fail QDRANT_WRITE_CONSISTENCY is 2 and QDRANT_REPLICATION is 1/),
      expect.stringMatching(/^fail NATS_USER is set and NATS_PASSWORD is not/),
      expect.stringMatching(/^warn LLM_API_KEY is set and not read/),
    ]);
  });

  it("says which secrets are the example's", () => {
    const env = { ...spread, QDRANT_API_KEY: 'fake-qdrant', DATABASE_URL: 'postgres://a:fake-service@db/x' };
    expect(said(env)).toEqual([expect.stringMatching(/^warn DATABASE_URL and QDRANT_API_KEY still have the values/)]);
  });

  it('says which file can not be read', async () => {
    const found = await examineConfiguration(patientOf({ ...spread, NATS_CREDENTIALS: '/nowhere/x.creds' }));
    expect(found[1]).toMatchObject({
      state: 'fail',
      said: 'NATS_CREDENTIALS names /nowhere/x.creds, which can not be read.',
    });
  });
});
