import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SilentServer, startSilentServer } from '../test/silent-server.js';
import { DEFAULT_POOLS, DEFAULT_REPLICAS } from './counts.js';
import { examine } from './examine.js';
import { secretsIn } from './secrets.js';

describe('examining all', () => {
  let silent: SilentServer;
  beforeAll(async () => {
    silent = await startSilentServer();
  });
  afterAll(() => silent.close());

  it('ends in time and tells no secret, where every neighbour takes connections and says nothing', async () => {
    const http = `http://${silent.host}`;
    const env = {
      POSTMASTER_IDENTITY_SECRET: 'identity-secret-identity-secret-1',
      POSTMASTER_ADMIN_KEY: 'admin-key-admin-key',
      POSTMASTER_API_KEY: 'short', // is set wrongly, and not repeated all the same
      DATABASE_URL: `postgres://service:p%40ss-of-rows@${silent.host}/x`,
      NATS_URL: `nats://u:pass-of-bus@${silent.host}`,
      QDRANT_URL: http,
      QDRANT_API_KEY: 'key-of-qdrant',
      BLOBS_URL: 's3://bucket',
      ...{ S3_ENDPOINT: http, S3_ACCESS_KEY_ID: 'id-of-s3', S3_SECRET_ACCESS_KEY: 'secret-of-s3' },
      ...{ LLM_PROVIDER: 'openai', LLM_URL: http, LLM_MODEL: 'm', LLM_API_KEY: 'key-of-model' },
      ...{ ENCODER_PROVIDER: 'openai', ENCODER_URL: http, ENCODER_MODEL: 'e', ENCODER_API_KEY: 'key-of-encoder' },
      ...{ TENANTS_URL: http, RETRIEVAL_URL: http, POSTMASTER_URL: http },
    };
    const began = Date.now();
    const findings = (await Promise.all(examine({ env, cwd: join(tmpdir(), 'nowhere'), limitMs: 300 }))).flat();
    expect(Date.now() - began).toBeLessThan(8_000);
    const failed = findings.filter(({ state }) => state === 'fail').map(({ name }) => name);
    expect(failed).toEqual([
      ...['configuration', 'postgres', 'nats', 'qdrant', 'blobs', 'encoder', 'language model'],
      ...['tenants', 'retrieval', 'gateway'],
    ]);
    for (const { state, next } of findings) expect(next === null).toBe(state === 'ok' || state === 'skipped');
    const secrets = Object.entries(env).flatMap(([name, value]) => secretsIn(name, value));
    expect(secrets).toEqual(expect.arrayContaining(['p@ss-of-rows', 'pass-of-bus', 'secret-of-s3', 'short']));
    const said = JSON.stringify(findings);
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
  });

  it('reckons with the pools and replicas that docs/operations.md has from k8s', async () => {
    const table = (await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')).replace(/ +/g, ' ');
    for (const [name, pool] of Object.entries(DEFAULT_POOLS))
      expect(table).toContain(`| ${name} | ${pool} | ${DEFAULT_REPLICAS[name as keyof typeof DEFAULT_POOLS]} |`);
  });
});
