import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DataLock, lockDataFolder, writeDataVersion } from '@postmaster/database';
import { connect } from '@lancedb/lancedb';
import { indexOf } from '@postmaster/embedding';
import { type HttpServer, startHttpServer } from '../test/http-server.js';
import { patientOf } from '../test/patient-of.js';
import { examineEmbedded } from './examine-embedded.js';
import type { Finding } from './finding.js';

const encoder = { id: 'minilm:test', dimension: 8 };

describe('all in one process', () => {
  let data: string;
  let server: HttpServer;
  let lock: DataLock | undefined;
  const examined = async (env: Record<string, string> = {}, facts = encoder): Promise<Record<string, Finding>> => {
    const found = await examineEmbedded(
      patientOf({ POSTMASTER_DATA: data, PORT: '0', ...env }),
      Promise.resolve(facts),
    );
    return Object.fromEntries(found.map((one) => [one.name, one]));
  };
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'postmaster-doctor-data-'));
    server = await startHttpServer({
      '/health/live': [200, { live: true }],
      '/health/ready': [200, { ready: true, accepting: true, checks: {} }],
    });
  });
  afterAll(async () => {
    await lock?.release();
    await server.close();
    await rm(data, { recursive: true, force: true });
  });

  it('has nothing wrong before its first start', async () => {
    const found = await examined({ POSTMASTER_DATA: join(data, 'none') });
    expect(Object.values(found).map(({ name, state }) => `${name} ${state}`)).toEqual([
      'data ok',
      'server ok',
      'vectors skipped',
    ]);
  });

  it('says who has its port', async () => {
    const found = await examined({ PORT: new URL(server.url).port });
    expect(found.server).toMatchObject({
      state: 'warn',
      said: expect.stringContaining('another program listens at 127.0.0.1:'),
    });
  });

  it('tells its data, who runs on them, and what is indexed by which encoder', async () => {
    await writeDataVersion(data, '0.1.0');
    const connection = await connect(join(data, 'vectors', indexOf(encoder).name));
    await connection.createTable('acme', [
      { id: 'a', text: 'x' },
      { id: 'b', text: 'y' },
    ]);
    connection.close();
    lock = await lockDataFolder(data);
    expect((await examined()).server).toMatchObject({
      state: 'warn',
      said: `Process ${process.pid} runs on the data and does not answer requests yet.`,
    });
    lock.announce({ url: server.url });
    const found = await examined();
    expect(found.data).toMatchObject({
      state: 'ok',
      said: expect.stringMatching(/format 1, written last by version 0\.1\.0: rows 0 bytes, vectors \d/),
    });
    expect(found.server).toMatchObject({
      state: 'ok',
      said: expect.stringMatching(/^Process \d+: the server at 127\S+ lives and is ready/),
    });
    expect(found.vectors).toMatchObject({ state: 'ok', said: 'minilm-test-8: 2 paragraphs of 1 tenant.' });
    const other = await examined({}, { id: 'openai:bge', dimension: 16 });
    expect(other.vectors).toMatchObject({
      state: 'fail',
      said: expect.stringContaining('The encoder is openai:bge (16 dimensions)'),
    });
  });

  it('is not looked at where services run apart', async () => {
    expect(await examined({ NATS_URL: 'nats://x' })).toEqual({});
  });
});
