import type { z } from 'zod';
import type { Identity } from './identity.js';

/** A question that one service asks another; both ends parse by the same schemas. */
export interface RequestType<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** "<service>.<verb-noun>" */
  subject: string;
  input: I;
  /** Of the reply, or of each item of a streamed one. */
  output: O;
  timeoutMs: number;
}

export const requestType = <I extends z.ZodType, O extends z.ZodType>(type: RequestType<I, O>): RequestType<I, O> =>
  type;

/**
 * Request and reply between services. `token` is the signed internal identity; the answering side opens it and
 * accepts nothing else. Errors keep their code; nobody answering is SERVICE_UNAVAILABLE, late is TIMED_OUT.
 */
export interface Requests {
  ask<I extends z.ZodType, O extends z.ZodType>(
    type: RequestType<I, O>,
    token: string,
    input: z.input<I>,
  ): Promise<z.output<O>>;
  stream<I extends z.ZodType, O extends z.ZodType>(
    type: RequestType<I, O>,
    token: string,
    input: z.input<I>,
    signal?: AbortSignal,
  ): AsyncIterable<z.output<O>>;
  answer<I extends z.ZodType, O extends z.ZodType>(
    type: RequestType<I, O>,
    reply: (identity: Identity, input: z.output<I>, token: string) => Promise<z.input<O>>,
  ): void;
  answerStream<I extends z.ZodType, O extends z.ZodType>(
    type: RequestType<I, O>,
    reply: (identity: Identity, input: z.output<I>, token: string, signal: AbortSignal) => AsyncIterable<z.input<O>>,
  ): void;
}
