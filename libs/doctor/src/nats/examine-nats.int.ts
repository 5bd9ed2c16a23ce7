import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { ensureStreams, STREAMS } from '@postmaster/bus';
import { type NatsServer, startNats } from '@postmaster/testing';
import { describeWithNats } from '@postmaster/testing/suites';
import { patientOf } from '../../test/patient-of.js';
import { startSilentServer } from '../../test/silent-server.js';
import type { Finding } from '../finding.js';
import type { ExamineOptions } from '../patient.js';
import { examineNats } from './examine-nats.js';

const CONFIG = `
max_payload: 64KB
jetstream { max_file_store: 100MB }
accounts {
  WITH { jetstream: enabled, users: [{ user: doctor, password: right-password }] }
  WITHOUT { users: [{ user: poor, password: right-password }] }
}`;

describeWithNats('NATS', () => {
  let folder: string;
  let server: NatsServer;
  const examined = async (env: Record<string, string>, options?: Partial<ExamineOptions>) => {
    const found = await examineNats(patientOf({ NATS_URL: server.url, ...env }, options));
    return Object.fromEntries(found.map((one): [string, Finding] => [one.name, one]));
  };
  const login = (user: string, password = 'right-password') => ({ NATS_USER: user, NATS_PASSWORD: password });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postmaster-doctor-nats-'));
    await writeFile(join(folder, 'nats.conf'), CONFIG);
    server = await startNats({ args: ['-c', join(folder, 'nats.conf')] });
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is told with its version, and fails where its messages are too small', async () => {
    const { nats } = await examined(login('doctor'));
    expect(nats).toMatchObject({
      state: 'fail',
      said: expect.stringMatching(
        /^NATS 2\.\d+\.\d+ at 127\.0\.0\.1:\d+ accepts the login, in \d+ ms; it takes messages of up to 65\.5 KB/,
      ),
      next: 'Set max_payload to 1MB in NATS.',
    });
  });

  it('that refuses the login is said without the password', async () => {
    const found = await examined(login('doctor', 'wrong-password'));
    expect(Object.values(found)).toMatchObject([
      { name: 'nats', state: 'fail', said: expect.stringContaining('refuses the credentials') },
    ]);
    expect(JSON.stringify(found)).not.toContain('wrong-password');
  });

  describe('with a max_payload that does', () => {
    beforeAll(async () => {
      await writeFile(join(folder, 'nats.conf'), CONFIG.replace('64KB', '1MB'));
      await server.restart();
    });

    it('and nothing in it yet is in order', async () => {
      const found = await examined(login('doctor'));
      expect(Object.values(found).map(({ name, state }) => `${name} ${state}`)).toEqual([
        ...['nats ok', 'nats storage ok', 'nats streams ok', 'nats consumers ok'],
      ]);
      expect(found['nats streams']?.said).toContain('are not there yet');
    });

    it('fails where the account may not use JetStream', async () => {
      const found = await examined(login('poor'));
      expect(found.nats?.state).toBe('ok');
      expect(found['nats storage']).toMatchObject({
        state: 'fail',
        said: expect.stringMatching(/jetstream not enabled/i),
      });
    });

    it('tells streams, and what waits for a consumer since when', async () => {
      const connection = await connect({ servers: server.url, user: 'doctor', pass: 'right-password' });
      await ensureStreams(connection);
      const manager = await jetstreamManager(connection);
      const filter = 'postmaster.work.*.paragraphs.parsed';
      for (const durable of ['embedding__paragraphs-parsed', 'idle'])
        await manager.consumers.add(STREAMS.work.name, {
          durable_name: durable,
          ack_policy: AckPolicy.Explicit,
          filter_subject: durable === 'idle' ? 'postmaster.work.*.nothing' : filter,
        });
      const stream = jetstream(connection);
      await stream.publish('postmaster.work.a.document.accepted', 'x'); // of no consumer, and older
      for (const text of ['1', '2']) await stream.publish('postmaster.work.a.paragraphs.parsed', text);
      await connection.close();

      const found = await examined({ ...login('doctor'), NATS_REPLICAS: '3' }, { now: () => Date.now() + 600_000 });
      expect(found['nats streams']).toMatchObject({
        state: 'warn',
        said: expect.stringMatching(
          /^POSTMASTER_WORK: 3 messages, \d+ bytes, kept for 7 days, 1 copy; POSTMASTER_EVENTS: 0 .*NATS_REPLICAS says 3/,
        ),
      });
      expect(found['nats consumers']).toMatchObject({
        state: 'warn',
        said: '2 consumers; waiting: embedding__paragraphs-parsed 2 messages, the oldest for 10 min.',
      });
      expect(found['nats storage']?.said).toMatch(/^2 streams and 2 consumers take \d+ bytes/);
    });
  });

  it('that is stopped, or says nothing, holds nobody up', async () => {
    const silent = await startSilentServer();
    const began = Date.now();
    const late = await examined({ NATS_URL: `nats://${silent.host}` }, { limitMs: 500 });
    expect(late.nats).toMatchObject({ state: 'fail', said: 'NATS did not answer within 1.5 s.' });
    expect(Date.now() - began).toBeLessThan(3_000);
    await silent.close();
    const { nats } = await examined({ NATS_URL: 'nats://u:secret-pass@127.0.0.1:1' });
    expect(nats).toMatchObject({
      state: 'fail',
      said: expect.stringMatching(/^NATS at 127\.0\.0\.1:1 does not answer: connection refused/),
    });
  });
});

describe('no NATS', () => {
  it('is nothing wrong', async () => {
    expect(await examineNats(patientOf())).toMatchObject([{ state: 'skipped', said: 'NATS_URL is not set.' }]);
  });
});
