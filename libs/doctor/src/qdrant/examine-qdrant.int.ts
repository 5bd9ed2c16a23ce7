import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexOf } from '@postmaster/embedding';
import { type QdrantServer, qdrantLauncher, startQdrant } from '@postmaster/testing';
import { startHttpServer } from '../../test/http-server.js';
import { patientOf } from '../../test/patient-of.js';
import { startSilentServer } from '../../test/silent-server.js';
import type { Finding } from '../finding.js';
import { examineQdrant } from './examine-qdrant.js';

const encoder = { id: 'openai:test', dimension: 8 };
const index = indexOf(encoder).name;
const examined = async (env: Record<string, string>, limitMs = 2_000): Promise<Record<string, Finding>> => {
  const found = await examineQdrant(patientOf(env, { limitMs }), Promise.resolve(encoder));
  return Object.fromEntries(found.map((one) => [one.name, one]));
};

(qdrantLauncher() ? describe : describe.skip)('Qdrant', () => {
  let server: QdrantServer;
  const put = (path: string, body: unknown, method = 'PUT') =>
    fetch(`${server.url}${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const makeIndex = async (name: string, size: number): Promise<void> => {
    await put(`/collections/${name}.1`, { vectors: { paragraph: { size, distance: 'Cosine' } } });
    const create_alias = { alias_name: name, collection_name: `${name}.1` };
    expect((await put('/collections/aliases', { actions: [{ create_alias }] }, 'POST')).status).toBe(200);
  };

  beforeAll(async () => {
    server = await startQdrant();
  }, 60_000);
  afterAll(() => server?.stop());

  it('with nothing in it yet has nothing wrong, but perhaps its age', async () => {
    const found = await examined({ QDRANT_URL: server.url });
    expect(found.qdrant?.said).toMatch(/^Qdrant 1\.\d+\.\d+ at 127\.0\.0\.1:\d+ accepts calls without a key/);
    expect(found['qdrant collections']).toMatchObject({ state: 'ok', said: expect.stringContaining('no index yet') });
    expect(found['qdrant index']?.state).toBe('ok');
  });

  it("fails where the encoder's index has another dimension", async () => {
    await makeIndex(`postmaster-${index}`, 16);
    const found = await examined({ QDRANT_URL: server.url, QDRANT_API_KEY: 'some-key' });
    expect(found.qdrant?.said).toContain('accepts the key');
    expect(found['qdrant collections']?.said).toContain(`${index}: green, 0 points of 16 dimensions`);
    expect(found['qdrant index']).toMatchObject({
      state: 'fail',
      said: `openai:test gives 8 dimensions, but its index postmaster-${index}.1 holds vectors of 16 dimensions.`,
    });
  });

  it('leaves collections of others alone', async () => {
    await makeIndex('somebody-else', 3);
    expect((await examined({ QDRANT_URL: server.url }))['qdrant collections']?.said).not.toContain('somebody');
  });
});

describe('what is no Qdrant that we may use', () => {
  it('is said: a refused key, a key that is wanted, another server, one that is too old', async () => {
    const server = await startHttpServer();
    const welcome = (version: string) => ({ '/': [200, { title: 'qdrant - vector search engine', version }] }) as const;
    server.answers = { ...welcome('1.19.0'), '/aliases': [401, {}] };
    const refused = await examined({ QDRANT_URL: server.url, QDRANT_API_KEY: 'a-wrong-key' });
    expect(Object.values(refused)).toMatchObject([
      { state: 'fail', said: expect.stringContaining('refuses the key in QDRANT_API_KEY') },
    ]);
    expect((await examined({ QDRANT_URL: server.url })).qdrant?.said).toContain('QDRANT_API_KEY is not set');
    server.answers = { ...welcome('1.12.4'), '/aliases': [200, { result: { aliases: [] } }] };
    expect((await examined({ QDRANT_URL: server.url })).qdrant).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('1.18 or later'),
    });
    server.answers = { '/': [200, { hello: 'world' }] };
    expect((await examined({ QDRANT_URL: server.url })).qdrant?.said).toContain('is not Qdrant');
    await server.close();
    expect((await examined({ QDRANT_URL: server.url })).qdrant).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('can’t be reached'),
    });
  });

  it('holds nobody up where it says nothing', async () => {
    const silent = await startSilentServer();
    expect((await examined({ QDRANT_URL: `http://${silent.host}` }, 300)).qdrant).toMatchObject({
      state: 'fail',
      said: `Qdrant at ${silent.host} did not answer within 0.3 s.`,
    });
    await silent.close();
  });

  it('is not asked where none is configured', async () => {
    expect((await examined({})).qdrant).toMatchObject({ state: 'skipped' });
  });
});
