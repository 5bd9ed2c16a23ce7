import { CodedError, type IdentitySeal, type Requests, type RequestType } from '@postmaster/contracts';
import type { z } from 'zod';

type Reply = (token: string, input: unknown) => Promise<unknown>;
type StreamReply = (token: string, input: unknown, signal: AbortSignal) => AsyncIterable<unknown>;

/** Request and reply within one process, with the same checks as over the wire. */
export const localRequests = (seal: IdentitySeal): Requests => {
  const replies = new Map<string, Reply>();
  const streams = new Map<string, StreamReply>();

  return {
    ask: async <I extends z.ZodType, O extends z.ZodType>(
      type: RequestType<I, O>,
      token: string,
      input: z.input<I>,
    ) => {
      const reply = replies.get(type.subject);
      if (!reply) throw absent(type.subject);
      return type.output.parse(await inTime(reply(token, type.input.parse(input)), type));
    },
    stream: async function* <I extends z.ZodType, O extends z.ZodType>(
      type: RequestType<I, O>,
      token: string,
      input: z.input<I>,
      signal: AbortSignal = new AbortController().signal,
    ) {
      const reply = streams.get(type.subject);
      if (!reply) throw absent(type.subject);
      for await (const item of reply(token, type.input.parse(input), signal)) yield type.output.parse(item);
    },
    answer: (type, reply) => {
      replies.set(type.subject, async (token, input) =>
        reply(await seal.open(token), input as z.output<typeof type.input>, token),
      );
    },
    answerStream: (type, reply) => {
      streams.set(type.subject, async function* (token, input, signal) {
        yield* reply(await seal.open(token), input as z.output<typeof type.input>, token, signal);
      });
    },
  };
};

const absent = (subject: string): CodedError =>
  new CodedError(
    'SERVICE_UNAVAILABLE',
    `Nobody answers "${subject}"; the ${subject.split('.')[0] ?? ''} service is not there.`,
  );

const inTime = <R>(reply: Promise<R>, { subject, timeoutMs }: RequestType): Promise<R> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new CodedError('TIMED_OUT', `"${subject}" did not answer within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
