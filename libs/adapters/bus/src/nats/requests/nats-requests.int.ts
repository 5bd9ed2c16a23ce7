import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { connect } from '@nats-io/transport-node';
import { identitySeal, requestType, TenantId } from '@postmaster/contracts';
import { type NatsServer, startNats, until } from '@postmaster/testing';
import { describeWithNats, requestsContract } from '@postmaster/testing/suites';
import { z } from 'zod';
import { connectNats, type Nats, type NatsRequests, natsRequests, type NatsRequestsOptions } from '../../index.js';

const echo = requestType({
  subject: 'words.echo',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  timeoutMs: 1_000,
});
const tell = requestType({ ...echo, subject: 'words.tell', timeoutMs: 3_000 });
const seal = identitySeal(new TextEncoder().encode('a secret that only the tests of requests share'), 3_600);
const token = await seal.sign({ tenant: TenantId.parse('ours'), subject: 'someone', scopes: [] });

describeWithNats('NATS', () => {
  let server: NatsServer;
  const opened: Nats[] = [];
  const ends: NatsRequests[] = [];
  beforeAll(async () => {
    server = await startNats();
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end.stop(0)));
    await Promise.all(opened.splice(0).map((nats) => nats.drain()));
  });
  const end = async (options: Partial<NatsRequestsOptions> = {}): Promise<NatsRequests> => {
    const nats = await connectNats({ url: server.url, name: 'test' });
    opened.push(nats);
    const requests = natsRequests({ nats, seal, service: 'words', ...options });
    ends.push(requests);
    return requests;
  };
  const answers = () => Promise.all(opened.map(async (nats) => (await nats.ready(0))?.flush()));

  requestsContract('requests over NATS', async (seal) => {
    const [asking, answering] = [await end({ seal, service: 'asks' }), await end({ seal, service: 'sums' })];
    const flushed = (act: () => void): void => {
      act();
      void answers();
    };
    return {
      asking: {
        ...asking,
        ask: async (...args) => {
          await answers(); // what was subscribed to is known to the server
          return asking.ask(...args);
        },
        stream: async function* (...args) {
          await answers();
          yield* asking.stream(...args);
        },
      },
      answering: {
        ...answering,
        answer: (type, reply) => flushed(() => answering.answer(type, reply)),
        answerStream: (type, reply) => flushed(() => answering.answerStream(type, reply)),
      },
      close: async () => {},
    };
  });

  it('spreads questions over the replicas of a service', async () => {
    const served = [0, 0];
    for (const replica of [0, 1])
      (await end()).answer(echo, async (_identity, { text }) => {
        served[replica]!++;
        return { text };
      });
    const asking = await end();
    await answers();
    await Promise.all(Array.from({ length: 200 }, (_, i) => asking.ask(echo, token, { text: `${i}` })));
    expect(served[0]! + served[1]!).toBe(200);
    expect(Math.min(...served)).toBeGreaterThan(40);
  });

  it('tells the asking side nothing of an unexpected error, and the answering side all of it', async () => {
    const errors: unknown[] = [];
    const answering = await end({ onError: (error) => errors.push(error) });
    const broken = new Error('password=hunter2');
    answering.answer(echo, () => Promise.reject(broken));
    answering.answerStream(tell, async function* () {
      yield { text: 'one' };
      throw broken;
    });
    const asking = await end();
    await answers();
    const refusals = [
      await asking.ask(echo, token, { text: '' }).catch((error: unknown) => error),
      await last(asking.stream(tell, token, { text: '' })).catch((error: unknown) => error),
    ];
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: 'INTERNAL', message: expect.not.stringContaining('hunter2') });
    expect(errors).toEqual([broken, broken]);
  });

  it('refuses what is larger than the server carries, either way, and goes on', async () => {
    const answering = await end();
    const huge = 'x'.repeat(1_100_000);
    answering.answer(echo, async (_identity, { text }) => ({ text: text === 'huge' ? huge : text }));
    answering.answerStream(tell, async function* () {
      yield { text: huge };
    });
    const asking = await end();
    await answers();
    for (const asked of [
      asking.ask(echo, token, { text: huge }),
      asking.ask(echo, token, { text: 'huge' }),
      last(asking.stream(tell, token, { text: '' })),
    ])
      await expect(asked).rejects.toMatchObject({ code: 'TOO_LARGE', message: expect.stringContaining('bytes') });
    expect(await asking.ask(echo, token, { text: 'small' })).toEqual({ text: 'small' });
  });

  it('refuses a question that is not in the form of its type, from whoever speaks on its subject', async () => {
    const answering = await end();
    answering.answer(echo, async () => ({ text: 'answered' }));
    await answers();
    const { headers } = await import('@nats-io/transport-node');
    const raw = await connect({ servers: server.url });
    const fields = headers();
    fields.set('postmaster-identity', token);
    for (const body of ['not json', '{"text":7}', ''])
      expect(
        (await raw.request('postmaster.requests.words.echo', body, { timeout: 1_000, headers: fields })).json(),
      ).toMatchObject({
        error: { code: 'INPUT_INVALID' },
      });
    await raw.close();
  });

  it('carries what tracing puts into the headers, and runs the answer within it', async () => {
    const within: Record<string, string>[] = [];
    const answering = await end({
      around: async (carrier, subject, run) => {
        within.push({ ...carrier, subject });
        return run();
      },
    });
    answering.answer(echo, async (_identity, { text }) => ({ text }));
    answering.answerStream(tell, async function* (_identity, { text }) {
      yield { text };
    });
    const asking = await end({ inject: (carrier) => void (carrier.traceparent = '00-1-2-01') });
    await answers();
    await asking.ask(echo, token, { text: 'a' });
    await last(asking.stream(tell, token, { text: 'b' }));
    expect(within).toEqual([
      { traceparent: '00-1-2-01', subject: 'words.echo' },
      { traceparent: '00-1-2-01', subject: 'words.tell' },
    ]);
  });

  it('ends the questions in hand before it stops, and takes no more', async () => {
    const answering = await end();
    let begun = false;
    answering.answer(echo, async (_identity, { text }) => {
      begun = true;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { text };
    });
    const asking = await end();
    await answers();
    const inHand = asking.ask(echo, token, { text: 'in hand' });
    await until(() => begun);
    await answering.stop();
    expect(await inHand).toEqual({ text: 'in hand' });
    await expect(asking.ask(echo, token, { text: 'late' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('ends a stream with an error when its service stops', async () => {
    const answering = await end();
    answering.answerStream(tell, async function* (_identity, _input, _token, signal) {
      yield { text: 'one' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    });
    const asking = await end();
    await answers();
    const got = last(asking.stream(tell, token, { text: '' }), () => void answering.stop(50));
    await expect(got).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('ends a stream whose answering process dies, and one whose asking process dies', async () => {
    const answering = await end({ beatMs: 100 });
    let told: AbortSignal | undefined;
    answering.answerStream(tell, async function* (_identity, _input, _token, signal) {
      told = signal;
      yield { text: 'one' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    });
    const asking = await end({ beatMs: 100 });
    await answers();
    const broken = last(asking.stream(tell, token, { text: '' }), async () => {
      await (await opened[0]?.ready(0))?.close(); // as a killed process: no word of farewell
    });
    await expect(broken).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await until(() => told?.aborted === true);
  });

  it('keeps a stream open that is silent for long, and says TIMED_OUT past the limit of its type', async () => {
    const answering = await end({ beatMs: 50 });
    answering.answerStream(tell, async function* (_identity, { text }) {
      await new Promise((resolve) => setTimeout(resolve, Number(text)));
      yield { text };
    });
    const asking = await end({ beatMs: 50 });
    await answers();
    expect(await last(asking.stream(tell, token, { text: '500' }))).toEqual({ text: '500' });
    const short = { ...tell, timeoutMs: 200 };
    await expect(last(asking.stream(short, token, { text: '1000' }))).rejects.toMatchObject({ code: 'TIMED_OUT' });
  });

  it('says SERVICE_UNAVAILABLE while the server is away, and answers again when it is back', async () => {
    const answering = await end();
    answering.answer(echo, async (_identity, { text }) => ({ text }));
    answering.answerStream(tell, async function* (_identity, _input, _token, signal) {
      yield { text: 'one' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    });
    const asking = await end();
    await answers();
    const cut = last(asking.stream(tell, token, { text: '' }), () => server.kill());
    await expect(cut).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(asking.ask(echo, token, { text: '' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await server.restart();
    await until(() =>
      asking.ask(echo, token, { text: 'back' }).then(
        () => true,
        () => false,
      ),
    );
  });
});

const last = async <T>(items: AsyncIterable<T>, act?: () => unknown): Promise<T | undefined> => {
  let got: T | undefined;
  for await (const item of items) {
    got = item;
    await act?.();
  }
  return got;
};
