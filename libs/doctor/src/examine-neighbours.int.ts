import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EmbeddingServer,
  type ModelServer,
  natsServerBinary,
  startEmbeddingServer,
  startModelServer,
  startNats,
  startRerankerServer,
  startS3Server,
} from '@postmaster/testing';
import { type HttpServer, startHttpServer } from '../test/http-server.js';
import { patientOf } from '../test/patient-of.js';
import { examineBlobs } from './examine-blobs.js';
import { examineEncoder } from './examine-encoder.js';
import { examineLanguageModel } from './examine-language-model.js';
import { examineReranker } from './examine-reranker.js';
import { examineServices } from './examine-services.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postmaster-doctor-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('blobs', () => {
  const blobs = async (env: Record<string, string>, write = false) =>
    (await examineBlobs(patientOf({ POSTMASTER_DATA: join(folder, 'data'), ...env }, { write })))[0];

  it('in a folder that is not there yet are nothing wrong, and none is made', async () => {
    expect(await blobs({})).toMatchObject({ state: 'ok', said: expect.stringContaining('is not there yet') });
    await expect(rm(join(folder, 'data'))).rejects.toThrow('ENOENT');
  });

  it('in a folder are stored, read and removed where that is asked for', async () => {
    const BLOBS_URL = pathToFileURL(join(folder, 'blobs')).href;
    await mkdir(join(folder, 'blobs'));
    expect(await blobs({ BLOBS_URL })).toMatchObject({
      state: 'ok',
      said: expect.stringContaining('nothing was written'),
    });
    expect(await blobs({ BLOBS_URL }, true)).toMatchObject({
      state: 'ok',
      said: expect.stringMatching(/stores, reads and removes/),
    });
  });

  it('in a folder that is a file, or read-only, fail', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(await blobs({ BLOBS_URL: pathToFileURL(file).href })).toMatchObject({ state: 'fail' });
    if (process.getuid?.() === 0) return; // root may write everywhere
    const closed = join(folder, 'closed');
    await mkdir(closed);
    await chmod(closed, 0o500);
    expect(await blobs({ BLOBS_URL: pathToFileURL(closed).href })).toMatchObject({ state: 'fail' });
  });

  it('in S3 fail for a wrong key, which is not repeated', async () => {
    const s3 = await startS3Server();
    const env = {
      BLOBS_URL: `s3://${s3.bucket}`,
      S3_ENDPOINT: s3.endpoint,
      S3_FORCE_PATH_STYLE: 'true',
    };
    const right = { ...env, S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_ACCESS_KEY: s3.secretAccessKey };
    expect(await blobs(right, true)).toMatchObject({
      state: 'ok',
      said: expect.stringContaining('stores, reads and removes'),
    });
    expect(s3.objects.size).toBe(0);
    const wrong = await blobs({ ...right, S3_SECRET_ACCESS_KEY: 'a-wrong-secret' });
    expect(wrong).toMatchObject({ state: 'fail', next: expect.stringContaining('S3_SECRET_ACCESS_KEY') });
    expect(JSON.stringify(wrong)).not.toContain('a-wrong-secret');
    await s3.close();
  });

  (natsServerBinary() ? it : it.skip)('in NATS make no bucket, unless they are written', async () => {
    const nats = await startNats();
    const env = { NATS_URL: nats.url, BLOBS_URL: 'nats:postmaster-blobs' };
    for (let times = 0; times < 2; times++)
      expect(await blobs(env)).toMatchObject({ state: 'ok', said: expect.stringContaining('is not there yet') });
    expect(await blobs(env, true)).toMatchObject({
      state: 'ok',
      said: expect.stringContaining('stores, reads and removes'),
    });
    expect(await blobs(env)).toMatchObject({ state: 'ok', said: expect.stringContaining('in NATS answers') });
    await nats.stop();
    expect(await blobs(env)).toMatchObject({ state: 'fail', said: expect.stringContaining('does not answer') });
    expect(await blobs({ BLOBS_URL: 'nats:x' })).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('NATS_URL is not set'),
    });
  });
});

describe('models', () => {
  let model: ModelServer;
  let embeddings: EmbeddingServer;
  beforeAll(async () => {
    model = await startModelServer({ apiKey: 'the-right-key' });
    embeddings = await startEmbeddingServer({ dimension: 8 });
  });
  afterAll(() => Promise.all([model.close(), embeddings.close()]));

  const asked = async (env: Record<string, string>, tried = true) =>
    (await examineLanguageModel(patientOf(env, { model: tried })))[0];
  const llm = (more: Record<string, string> = {}) => ({
    ...{ LLM_PROVIDER: 'openai', LLM_URL: model.url, LLM_MODEL: 'stand-in', LLM_API_KEY: 'the-right-key', ...more },
  });

  it('the language model is tried once', async () => {
    expect(await asked(llm())).toMatchObject({
      state: 'ok',
      said: expect.stringMatching(/^openai:stand-in made the facets of a paragraph in \d\.\d s/),
    });
    expect(model.calls).toHaveLength(1);
  });

  it('each fallback is tried too', async () => {
    const LLM_FALLBACK = JSON.stringify([
      { model: 'anthropic:stand-in', url: model.url, apiKey: 'the-right-key' },
      { model: 'google:stand-in', url: model.url, apiKey: 'a-wrong-key-1' },
    ]);
    const found = await examineLanguageModel(patientOf(llm({ LLM_FALLBACK }), { model: true }));
    expect(found.map(({ state }) => state)).toEqual(['ok', 'ok', 'fail']);
    expect(found[2]).toMatchObject({ said: expect.stringContaining('google:stand-in'), next: expect.any(String) });
    expect(JSON.stringify(found)).not.toContain('a-wrong-key-1');
  });

  it('a refused key is said as such, and is not repeated', async () => {
    const found = await asked(llm({ LLM_API_KEY: 'a-wrong-key-1' }));
    expect(found).toMatchObject({ state: 'fail', said: expect.stringMatching(/^LLM_API_KEY is refused: /) });
    expect(JSON.stringify(found)).not.toContain('a-wrong-key-1');
    expect(await asked({ ...llm(), LLM_API_KEY: '' })).toMatchObject({
      said: expect.stringMatching(/^LLM_API_KEY is not set, and a key is wanted/),
    });
  });

  it('the language model is not called where that is not wanted, but its configuration is read', async () => {
    const before = model.calls.length;
    expect(await asked(llm(), false)).toMatchObject({ state: 'skipped', said: 'openai:stand-in was not tried.' });
    expect(await asked({ LLM_PROVIDER: 'openai' }, false)).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('LLM_MODEL is not set'),
    });
    expect(await asked({})).toMatchObject({ state: 'skipped', said: expect.stringContaining('None is configured') });
    expect(model.calls).toHaveLength(before);
  });

  it('the encoder is told with its dimension', async () => {
    const env = { ENCODER_PROVIDER: 'openai', ENCODER_URL: `${embeddings.url}/v1`, ENCODER_MODEL: 'stand-in' };
    const { findings, facts } = examineEncoder(patientOf(env));
    expect(await findings).toMatchObject([
      {
        state: 'ok',
        said: expect.stringMatching(/^openai:stand-in, at 127\.0\.0\.1:\d+: 8 dimensions, 512 tokens a text, \d+ ms/),
      },
    ]);
    expect(await facts).toEqual({ id: 'openai:stand-in', dimension: 8 });
    embeddings.failNext(1, { kind: 'status', status: 401 });
    const refused = examineEncoder(patientOf({ ...env, ENCODER_API_KEY: 'wrong-encoder-key' }));
    expect(await refused.findings).toMatchObject([
      { state: 'fail', said: expect.stringMatching(/^ENCODER_API_KEY is refused/) },
    ]);
    expect(await refused.facts).toBeUndefined();
  });

  it('the reranker is tried once, and told with the reason where it fails', async () => {
    const server = await startRerankerServer();
    const env = { RERANKER_PROVIDER: 'jina', RERANKER_URL: server.url, RERANKER_MODEL: 'stand-in' };
    const found = async (more: Record<string, string>, tried = true) =>
      (await examineReranker(patientOf({ ...env, ...more }, { model: tried })))[0];
    expect(await found({})).toMatchObject({
      state: 'ok',
      said: expect.stringMatching(/^jina:stand-in reranked two passages in \d+ ms/),
    });
    expect(await found({}, false)).toMatchObject({ state: 'skipped', said: 'jina:stand-in was not tried.' });
    expect(await found({ RERANKER_PROVIDER: '' })).toMatchObject({ state: 'skipped' });
    expect(server.calls).toHaveLength(1);
    server.fault = { kind: 'status', status: 401 };
    expect(await found({ RERANKER_API_KEY: 'wrong-reranker-key' })).toMatchObject({
      state: 'fail',
      said: expect.stringMatching(/^RERANKER_API_KEY is refused/),
    });
    server.fault = { kind: 'no-numbers' };
    expect(await found({})).toMatchObject({ state: 'fail', said: expect.stringContaining('no number') });
    expect(await found({ RERANKER_MODEL: '' })).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('RERANKER_MODEL'),
    });
    await server.close();
  });

  it('the bundled encoder needs nothing', async () => {
    const { findings } = examineEncoder(patientOf({}, { limitMs: 10_000 }));
    expect(await findings).toMatchObject([
      { state: 'ok', said: expect.stringMatching(/in this process.*384 dimensions/) },
    ]);
  });
});

describe('services', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await startHttpServer();
  });
  afterAll(() => server.close());
  const services = async (env: Record<string, string>) => {
    const found = await examineServices(patientOf({ NATS_URL: 'nats://x', ...env }));
    return Object.fromEntries(found.map((one) => [one.name, one]));
  };
  const live = { '/health/live': [200, { live: true }] } as const;

  it('are told with the check that fails', async () => {
    const checks = { rows: 'failed', bus: 'late', store: 'ok' };
    server.answers = { ...live, '/health/ready': [503, { ready: false, accepting: true, checks }] };
    const { tenants, ingestion, gateway } = await services({
      TENANTS_URL: server.url,
      INGESTION_URL: 'http://127.0.0.1:1',
    });
    expect(tenants).toMatchObject({
      state: 'fail',
      said: expect.stringMatching(
        /^tenants at 127\S+ lives but is not ready: rows failed and bus did not answer in time\.$/,
      ),
    });
    expect(ingestion).toMatchObject({
      state: 'fail',
      said: expect.stringMatching(/^ingestion at 127\.0\.0\.1:1 can not be reached: /),
    });
    expect(gateway).toMatchObject({ state: 'skipped', said: 'POSTMASTER_URL is not set.' });
  });

  it('are in order, or starting, or somebody else', async () => {
    server.answers = { ...live, '/health/ready': [200, { ready: true, accepting: true, checks: {} }] };
    expect((await services({ POSTMASTER_URL: server.url })).gateway).toMatchObject({
      state: 'ok',
      said: expect.stringContaining('lives and is ready'),
    });
    server.answers = { ...live, '/health/ready': [503, { ready: false, accepting: false, checks: { rows: 'ok' } }] };
    expect((await services({ RETRIEVAL_URL: server.url })).retrieval).toMatchObject({
      state: 'warn',
      said: expect.stringContaining('starting or stopping'),
    });
    server.answers = {};
    expect((await services({ RETRIEVAL_URL: server.url })).retrieval).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('is not retrieval'),
    });
  });

  it('go on without a collector of traces', async () => {
    expect((await services({ OTEL_EXPORTER_OTLP_ENDPOINT: server.url })).traces).toMatchObject({ state: 'ok' });
    expect((await services({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).traces).toMatchObject({
      state: 'warn',
    });
  });
});
