import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '@postmaster/doctor';
import { type EmbeddingServer, startEmbeddingServer } from '@postmaster/testing';
import { type Ran, runIn } from '../../test/run-in.js';

const SECRETS = ['identity-secret-identity-secret-1', 'pass-of-rows', 'pass-of-bus', 'key-of-qdrant', 'key-of-encoder'];

describe('postmaster doctor', () => {
  let home: string;
  let embeddings: EmbeddingServer;
  const run = (args: string[], env: Record<string, string> = {}): Promise<Ran> =>
    runIn(['doctor', ...args], {
      home,
      env: { ENCODER_PROVIDER: 'openai', ENCODER_URL: `${embeddings.url}/v1`, ENCODER_MODEL: 'e', ...env },
    });
  const [identity = '', rows, bus, qdrant = '', encoder = ''] = SECRETS;
  const spread = {
    POSTMASTER_IDENTITY_SECRET: identity,
    DATABASE_URL: `postgres://service:${rows}@127.0.0.1:1/x`,
    NATS_URL: `nats://ingestion:${bus}@127.0.0.1:1`,
    QDRANT_URL: 'http://127.0.0.1:1',
    QDRANT_API_KEY: qdrant,
    ENCODER_API_KEY: encoder,
    TENANTS_URL: 'http://127.0.0.1:1',
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'postmaster-doctor-cli-'));
    embeddings = await startEmbeddingServer({ dimension: 8 });
  });
  afterAll(async () => {
    await embeddings.close();
    await rm(home, { recursive: true, force: true });
  });

  it('says that all is in order before the first start, and ends with 0', async () => {
    const ran = await run([], { PORT: '0' });
    expect(ran.stdout).toMatch(/^✓ configuration {8}All in one process \(embedded\)/);
    expect(ran.stdout).toMatch(/\n✓ encoder {14}openai:e, at .*: 8 dimensions/);
    expect(ran.stdout).toMatch(/\n- language model {7}None is configured/);
    expect(ran.stdout).toMatch(/\n\n\d+ in order, .*\d+ skipped\n$/);
    expect([ran.exitCode, ran.stderr]).toEqual([0, '']);
  });

  it('says what is wrong, with what to do under it, and ends with 1', async () => {
    const ran = await run([], spread);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toMatch(/\n✗ postgres {13}Nothing listens there \(.*127\.0\.0\.1:1\)\.\n {23}→ Start it/);
    expect(ran.stdout).toMatch(/\n✗ nats .*\n {23}→ Check NATS_URL/);
    expect(ran.stdout).toMatch(/\d failed/);
    for (const secret of SECRETS) expect(ran.stdout + ran.stderr).not.toContain(secret);
  });

  it('gives one JSON value of the same', async () => {
    await writeFile(join(home, '.env'), `QDRANT_URL=http://127.0.0.1:1\nNATS_URL=nats://127.0.0.1:1\n`);
    const ran = await run(['--json', '--no-model'], { LLM_PROVIDER: 'openai', LLM_MODEL: 'm' });
    const { ok, findings } = JSON.parse(ran.stdout) as { ok: boolean; findings: Finding[] };
    const state = Object.fromEntries(findings.map((one) => [one.name, one.state]));
    expect([ok, ran.exitCode]).toEqual([false, 1]);
    expect(state).toMatchObject({
      node: 'ok',
      qdrant: 'fail',
      nats: 'fail',
      postgres: 'skipped',
      'language model': 'skipped',
    });
    for (const one of findings) expect(Object.keys(one)).toEqual(['name', 'state', 'said', 'next', 'ms']);
  });

  it('refuses counts of what there is none of', async () => {
    const ran = await run(['--replicas', 'posts=2']);
    expect(ran.stderr).toContain('--replicas names "posts", which is none of tenants, ingestion');
    expect(ran.exitCode).toBe(2);
  });
});
