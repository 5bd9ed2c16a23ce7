import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type NatsServer, startNats } from '@postmaster/testing';
import { describeWithNats } from '@postmaster/testing/suites';
import { ensureStreams, STREAMS } from '../index.js';

const DAY_NS = 24 * 3_600 * 1e9;

describeWithNats('the streams', () => {
  let server: NatsServer;
  let connection: NatsConnection;
  beforeAll(async () => {
    server = await startNats();
    connection = await connect({ servers: server.url });
  });
  afterAll(async () => {
    await connection.close();
    await server.stop();
  });
  afterEach(async () => {
    const { streams } = await jetstreamManager(connection);
    for (const { name } of Object.values(STREAMS)) await streams.delete(name).catch(() => undefined);
  });

  it('are made by many services that start at once, in files and for 7 days', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => ensureStreams(connection)));
    expect(new Set(made.map(({ work }) => work.created)).size).toBe(1);
    expect(made[0]?.work.config).toMatchObject({
      ...{ name: 'POSTMASTER_WORK', subjects: ['postmaster.work.>'], storage: 'file', retention: 'limits' },
      ...{ max_age: 7 * DAY_NS, max_bytes: -1, num_replicas: 1, duplicate_window: 120e9 },
    });
    expect(made[0]?.public.config.subjects).toEqual(['postmaster.events.>']);
  });

  it('take over other limits and keep what is in them', async () => {
    const before = await ensureStreams(connection);
    connection.publish('postmaster.work.a.b.c', 'x');
    const after = await ensureStreams(connection, { maxBytes: 1_000_000, maxAgeMs: 1_000, duplicateWindowMs: 5_000 });
    expect(after.work.config).toMatchObject({ max_bytes: 1_000_000, max_age: 1e9, duplicate_window: 1e9 });
    expect(after.work.created).toBe(before.work.created);
    expect(after.work.state.last_seq).toBe(1);
  });

  it('are made by services of different limits that start at once', async () => {
    const errors: unknown[] = [];
    await Promise.all(
      [1e6, 2e6, 3e6, 4e6].map((maxBytes) => ensureStreams(connection, { maxBytes }, (error) => errors.push(error))),
    );
    expect(errors).toEqual([]);
  });

  it('stay as they are where they can not be changed, and that is said', async () => {
    await ensureStreams(connection);
    const { streams } = await jetstreamManager(connection);
    await streams.delete(STREAMS.work.name);
    await streams.add({ name: STREAMS.work.name, mirror: { name: STREAMS.public.name } }); // takes no subjects
    const errors: unknown[] = [];
    const { work } = await ensureStreams(connection, {}, (error) => errors.push(error));
    expect(work.config.mirror).toMatchObject({ name: 'POSTMASTER_EVENTS' });
    expect(errors[0]).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('POSTMASTER_WORK') });
  });

  it('that can not be made as configured are refused', async () => {
    await expect(ensureStreams(connection, { replicas: 3 })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
