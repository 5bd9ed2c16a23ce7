import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CodedError,
  type IdentitySeal,
  identitySeal,
  type Requests,
  requestType,
  TenantId,
} from '@postmaster/contracts';
import { z } from 'zod';
import { until } from './delivery.js';

export interface RequestsUnderTest {
  asking: Requests;
  answering: Requests;
  close(): Promise<void>;
}

const double = requestType({
  subject: 'sums.double',
  input: z.object({ number: z.number().max(1_000), note: z.string().default('none') }),
  output: z.object({ number: z.number(), note: z.string(), vector: z.instanceof(Float32Array).optional() }),
  timeoutMs: 2_000,
});
const count = requestType({
  subject: 'sums.count',
  input: z.object({ to: z.number() }),
  output: z.object({ item: z.number() }),
  timeoutMs: 2_000,
});
const seal = identitySeal(new TextEncoder().encode('a secret that only the tests of requests share'));
const asked = { tenant: TenantId.parse('ours'), subject: 'someone', scopes: ['read' as const] };

/** What every way between services does. `make` gives two ends, which may be the same. */
export const requestsContract = (name: string, make: (seal: IdentitySeal) => Promise<RequestsUnderTest>): void => {
  describe(`${name} as requests`, () => {
    let ends: RequestsUnderTest;
    let token: string;
    beforeEach(async () => {
      ends = await make(seal);
      token = await seal.sign(asked);
    });
    afterEach(() => ends.close());
    const items = async (to: number, signal?: AbortSignal): Promise<number[]> => {
      const got: number[] = [];
      for await (const { item } of ends.asking.stream(count, token, { to }, signal)) got.push(item);
      return got;
    };

    it('brings a question to the service and its answer back, each parsed by its schema', async () => {
      ends.answering.answer(double, async (identity, { number, note }, sealed) => {
        expect(identity).toEqual(asked);
        expect(await seal.open(sealed)).toEqual(asked);
        return { number: number * 2, note, vector: new Float32Array([0.5, -2.25, number]) };
      });
      const { vector, ...rest } = await ends.asking.ask(double, token, { number: 21 });
      expect(rest).toEqual({ number: 42, note: 'none' });
      expect(vector).toBeInstanceOf(Float32Array);
      expect([...(vector ?? [])]).toEqual([0.5, -2.25, 21]);
    });

    it('answers many questions at once, each with its own answer', async () => {
      ends.answering.answer(double, async (_identity, { number }) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        return { number: number * 2, note: '' };
      });
      const numbers = Array.from({ length: 100 }, (_, i) => i);
      const answers = await Promise.all(numbers.map((number) => ends.asking.ask(double, token, { number })));
      expect(answers.map(({ number }) => number)).toEqual(numbers.map((number) => number * 2));
    });

    it('answers no one whose identity was not sealed by us', async () => {
      let asks = 0;
      ends.answering.answer(double, async () => ({ number: ++asks, note: '' }));
      ends.answering.answerStream(count, async function* () {
        yield { item: ++asks };
      });
      const forged = await identitySeal(new TextEncoder().encode('another secret, of someone else altogether')).sign(
        asked,
      );
      for (const bad of ['', 'nonsense', forged]) {
        await expect(ends.asking.ask(double, bad, { number: 1 })).rejects.toMatchObject({ code: 'IDENTITY_INVALID' });
        await expect(ends.asking.stream(count, bad, { to: 1 })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
          code: 'IDENTITY_INVALID',
        });
      }
      expect(asks).toBe(0);
    });

    it('brings an error back with all that it says', async () => {
      const facts = { next: 'Wait.', field: 'number', retryAfter: 7 };
      ends.answering.answer(double, async () => {
        throw new CodedError('CONFLICT', 'Not now.', facts);
      });
      const error = await ends.asking.ask(double, token, { number: 1 }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CodedError);
      expect(error).toMatchObject({ code: 'CONFLICT', message: 'Not now.', ...facts, status: 409 });
    });

    it('says SERVICE_UNAVAILABLE at once where nobody answers', async () => {
      const began = Date.now();
      await expect(ends.asking.ask(double, token, { number: 1 })).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
      await expect(items(1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(Date.now() - began).toBeLessThan(1_000);
    });

    it('says TIMED_OUT when the answer is late', async () => {
      const slow = { ...double, timeoutMs: 50 };
      ends.answering.answer(slow, () => new Promise(() => {}));
      await expect(ends.asking.ask(slow, token, { number: 1 })).rejects.toMatchObject({ code: 'TIMED_OUT' });
    });

    it('refuses a question or an answer that does not fit its schema', async () => {
      let asks = 0;
      ends.answering.answer(double, async () => ({ number: `${++asks}`, note: '' }) as never);
      await expect(ends.asking.ask(double, token, { number: 5_000 })).rejects.toThrow();
      expect(asks).toBe(0);
      await expect(ends.asking.ask(double, token, { number: 1 })).rejects.toThrow();
    });

    it('streams the items of an answer, all and in their order', async () => {
      ends.answering.answerStream(count, async function* (identity, { to }) {
        expect(identity).toEqual(asked);
        for (let item = 0; item < to; item++) yield { item };
      });
      expect(await items(0)).toEqual([]);
      expect(await items(500)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    });

    it('lets an answer run only so far ahead of who takes it', async () => {
      let made = 0;
      ends.answering.answerStream(count, async function* () {
        for (;;) yield { item: made++ };
      });
      const iterator = ends.asking.stream(count, token, { to: 0 })[Symbol.asyncIterator]();
      await iterator.next();
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(made).toBeLessThan(100);
      await iterator.return?.();
    });

    it('gives the items that came before an error, and then the error', async () => {
      ends.answering.answerStream(count, async function* () {
        yield { item: 1 };
        throw new CodedError('MODEL_REFUSED', 'The key is wrong.');
      });
      const got: number[] = [];
      const all = (async () => {
        for await (const { item } of ends.asking.stream(count, token, { to: 0 })) got.push(item);
      })();
      await expect(all).rejects.toMatchObject({ code: 'MODEL_REFUSED', message: 'The key is wrong.' });
      expect(got).toEqual([1]);
    });

    it('ends the answering side when the asking one leaves', async () => {
      let left = false;
      ends.answering.answerStream(count, async function* () {
        try {
          for (let item = 0; ; item++) {
            yield { item };
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        } finally {
          left = true;
        }
      });
      for await (const { item } of ends.asking.stream(count, token, { to: 0 })) if (item === 3) break;
      await until(() => left);
    });

    it('ends both sides when the asking one calls it off', async () => {
      const caller = new AbortController();
      let told = false;
      ends.answering.answerStream(count, async function* (_identity, _input, _token, signal) {
        yield { item: 1 };
        if (!signal.aborted) await new Promise((end) => signal.addEventListener('abort', end, { once: true }));
        told = true;
      });
      const got: number[] = [];
      for await (const { item } of ends.asking.stream(count, token, { to: 0 }, caller.signal)) {
        got.push(item);
        caller.abort();
      }
      expect(got).toEqual([1]);
      await until(() => told);
    });
  });
};
