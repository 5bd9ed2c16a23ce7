import { setMaxListeners } from 'node:events';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { CodedError, type Requests, type RequestType } from '@postmaster/contracts';
import type { z } from 'zod';
import { pause } from '../backoff.js';
import { sendItems } from './answer-stream.js';
import { askOnce } from './ask-once.js';
import { askStream } from './ask-stream.js';
import { bounded, carrierIn, type NatsRequestsOptions, subjectOfRequest, tokenIn } from './request-wire.js';
import { toWire } from './wire-error.js';
import { decodeJson, encodeJson } from './wire-json.js';

export interface NatsRequests extends Requests {
  /** Takes no more questions, and ends when those in hand are answered; after `graceMs`, streams are ended. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Request and reply between processes, over plain NATS: one replica of the answering service gets a question, at most
 * once. Both ends parse; a payload that the server does not carry is TOO_LARGE.
 */
export const natsRequests = (options: NatsRequestsOptions): NatsRequests => {
  const { nats, seal, service, around = (_carrier, _subject, run) => run(), onError } = options;
  const subscriptions = new Set<Subscription>();
  const leaving: (() => void)[] = [];
  const inHand = new Set<Promise<void>>();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // one for each stream in hand

  const serve = (type: RequestType, reply: (connection: NatsConnection, question: Msg) => Promise<void>): void => {
    const hold = (connection: NatsConnection, question: Msg): void => {
      const answering = around(carrierIn(question.headers), type.subject, () => reply(connection, question))
        .catch((error: unknown) => onError?.(error, type.subject))
        .finally(() => inHand.delete(answering));
      inHand.add(answering);
    };
    leaving.push(
      nats.onReady((connection, fresh) => {
        if (!fresh) return;
        const subscription = connection.subscribe(subjectOfRequest(type.subject), {
          queue: service,
          callback: (error, question) => (error ? onError?.(error, type.subject) : hold(connection, question)),
        });
        subscriptions.add(subscription);
      }),
    );
  };

  const respond = async (connection: NatsConnection, type: RequestType, question: Msg, value: Promise<unknown>) => {
    let bytes: Uint8Array;
    try {
      bytes = bounded({ value: await value }, `The reply to "${type.subject}"`, connection.info?.max_payload);
    } catch (error) {
      const wire = toWire(error);
      if (wire.code === 'INTERNAL') onError?.(error, type.subject);
      bytes = encodeJson({ error: wire });
    }
    if (!connection.isClosed()) question.respond(bytes);
  };

  return {
    ask: async <I extends z.ZodType, O extends z.ZodType>(
      type: RequestType<I, O>,
      token: string,
      input: z.input<I>,
    ) => {
      type.input.parse(input); // refused here, before it is sent; the answering side parses what it gets
      return type.output.parse(await askOnce(options, type, token, input));
    },
    stream: async function* <I extends z.ZodType, O extends z.ZodType>(
      type: RequestType<I, O>,
      token: string,
      input: z.input<I>,
      signal: AbortSignal = new AbortController().signal,
    ) {
      type.input.parse(input);
      for await (const item of askStream(options, type, token, input, signal)) yield type.output.parse(item);
    },
    answer: (type, reply) =>
      serve(type, (connection, question) => {
        const value = async (): Promise<unknown> => {
          const token = tokenIn(question.headers);
          const identity = await seal.open(token);
          const value = await reply(identity, inputOf(type, question), token);
          type.output.parse(value); // sent as it is: the asking side parses it into what it is for
          return value;
        };
        return respond(connection, type, question, value());
      }),
    answerStream: (type, reply) =>
      serve(type, (connection, question) =>
        sendItems(options, connection, type, question, stopping.signal, async function* (signal) {
          const token = tokenIn(question.headers);
          const identity = await seal.open(token);
          for await (const item of reply(identity, inputOf(type, question), token, signal)) {
            type.output.parse(item);
            yield item;
          }
        }),
      ),
    stop: async (graceMs = 10_000) => {
      for (const leave of leaving) leave();
      await Promise.all([...subscriptions].filter((one) => !one.isClosed()).map((one) => one.drain().catch(() => {})));
      await within(graceMs, Promise.all(inHand));
      stopping.abort();
      await within(1_000, Promise.all(inHand)); // streams say that they end; what hangs is left
      await (await nats.ready(0))?.flush().catch(() => undefined);
    },
  };
};

/** Waits for it, but no longer than this. */
const within = async (ms: number, what: Promise<unknown>): Promise<void> => {
  const waiting = new AbortController();
  await Promise.race([what, pause(ms, waiting.signal)]);
  waiting.abort();
};

/** Throws INPUT_INVALID: services of two versions may not agree. */
const inputOf = <I extends z.ZodType>({ subject, input }: RequestType<I>, { data }: Msg): z.output<I> => {
  let parsed: ReturnType<I['safeParse']> | undefined;
  try {
    parsed = input.safeParse(decodeJson(data)) as ReturnType<I['safeParse']>;
  } catch {
    // not JSON: refused below
  }
  if (parsed?.success) return parsed.data as z.output<I>;
  throw new CodedError('INPUT_INVALID', `The question "${subject}" has a form that its service does not take.`);
};
