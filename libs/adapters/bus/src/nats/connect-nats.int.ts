import { afterEach, expect, it } from 'vitest';
import type { Failure } from '@postmaster/contracts';
import { type NatsServer, startNats, startWire, until } from '@postmaster/testing';
import { describeWithNats } from '@postmaster/testing/suites';
import { connectNats, type Nats } from '../index.js';

const LOGIN = ['--user', 'ingestion', '--pass', 'right'];

describeWithNats('a connection to NATS', () => {
  const ending: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
  });
  const serve = async (args: string[] = []): Promise<NatsServer> => {
    const server = await startNats({ args });
    ending.push(server.stop);
    return server;
  };
  const told: (Failure | string)[] = [];
  const open = async (options: Partial<Parameters<typeof connectNats>[0]> & { url: string }): Promise<Nats> => {
    told.length = 0;
    const nats = await connectNats({
      name: 'test',
      onLost: (why) => void told.push(why),
      onConnected: (server) => void told.push(server),
      ...options,
    });
    ending.push(nats.drain);
    return nats;
  };

  it('says at once that the credentials are wrong, and gives none of them away', async () => {
    const server = await serve(LOGIN);
    const began = Date.now();
    const wrong = connectNats({
      url: server.url,
      name: 'test',
      credentials: { user: 'ingestion', password: 'wrong-one' },
    });
    await expect(wrong).rejects.toMatchObject({
      code: 'BUS_REFUSED',
      message: expect.not.stringContaining('wrong-one'),
    });
    await expect(connectNats({ url: server.url, name: 'test' })).rejects.toMatchObject({ code: 'BUS_REFUSED' });
    expect(Date.now() - began).toBeLessThan(2_000);
  });

  it('takes credentials from its options or from the address', async () => {
    const server = await serve(LOGIN);
    await open({ url: server.url, credentials: { user: 'ingestion', password: 'right' } });
    const nats = await open({ url: server.url.replace('//', '//ingestion:right@') });
    expect(nats.failure).toBeNull();
  });

  it('refuses an address that is none', async () => {
    await expect(connectNats({ url: 'nats://:::', name: 'test' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('begins without a server, says so once, and is there when the server is', async () => {
    const server = await serve();
    await server.kill();
    const nats = await open({ url: server.url });
    expect(nats.failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('127.0.0.1') });
    expect(await nats.ready(300)).toBeUndefined();
    await server.restart();
    expect(await nats.ready(5_000)).toBeDefined();
    expect(told).toHaveLength(2);
  });

  it('comes back by itself, tells it, and keeps what was subscribed to', async () => {
    const server = await serve();
    const nats = await open({ url: server.url });
    const connections: boolean[] = [];
    const heard: string[] = [];
    nats.onReady((connection, fresh) => {
      connections.push(fresh);
      if (fresh) connection.subscribe('test', { callback: (_error, message) => void heard.push(message.string()) });
    });
    const { session } = nats;
    await server.kill();
    await until(() => session.aborted);
    expect(nats.failure).not.toBeNull();
    await server.restart();
    (await nats.ready(5_000))?.publish('test', 'back');
    await until(() => heard.length === 1);
    expect(connections).toEqual([true, false]);
  });

  it('notices a connection that stands open and carries nothing, and makes another', async () => {
    const server = await serve();
    const wire = await startWire(server.url);
    ending.push(wire.close);
    const nats = await open({ url: wire.url, pingMs: 200 });
    const { session } = nats;
    wire.freeze();
    await until(() => session.aborted);
    expect(await nats.ready(5_000)).toBeDefined();
    await (await nats.ready(0))?.flush();
  });

  it('ends, and says why, when its credentials are taken away', async () => {
    const server = await serve();
    const nats = await open({ url: server.url });
    await server.kill();
    const strict = await startNats({ port: Number(new URL(server.url).port), args: LOGIN });
    ending.push(strict.stop);
    expect(await nats.closed).toMatchObject({ code: 'BUS_REFUSED' });
    expect(nats.failure).toMatchObject({ code: 'BUS_REFUSED' });
  });

  it('ends without a word when it is drained', async () => {
    const server = await serve();
    const nats = await open({ url: server.url });
    await nats.drain();
    ending.pop();
    expect(await nats.closed).toBeUndefined();
    expect(told).toHaveLength(1);
  });
});
