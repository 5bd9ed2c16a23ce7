import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { CodedError, type IdentitySeal } from '@postmaster/contracts';
import { z } from 'zod';
import type { Nats } from '../connect-nats.js';
import { encodeJson } from './wire-json.js';
import { WireError } from './wire-error.js';

export interface NatsRequestsOptions {
  nats: Nats;
  seal: IdentitySeal;
  /** The answering service: its replicas share the questions. */
  service: string;
  /** Writes what the question carries along, as the trace's context, into its headers. */
  inject?: (carrier: Record<string, string>) => void;
  /** Runs an answer within what its question carried along; a streamed one until its end. */
  around?: <R>(carrier: Record<string, string>, subject: string, run: () => Promise<R>) => Promise<R>;
  /** Answers that failed unexpectedly: the asking side is told no more than INTERNAL. */
  onError?: (error: unknown, subject: string) => void;
  /** How often both sides of a stream say that they are there, 5,000 ms unless told; three silences end it. */
  beatMs?: number;
}

export const subjectOfRequest = (subject: string): string => `postmaster.requests.${subject}`;

const IDENTITY_HEADER = 'postmaster-identity';

export const requestHeaders = (token: string, { inject }: Pick<NatsRequestsOptions, 'inject'>): MsgHdrs => {
  const carrier: Record<string, string> = {};
  inject?.(carrier);
  const fields = headers();
  for (const [name, value] of Object.entries(carrier)) fields.set(name, value);
  fields.set(IDENTITY_HEADER, token);
  return fields;
};

export const tokenIn = (fields: MsgHdrs | undefined): string => fields?.get(IDENTITY_HEADER) ?? '';

/** All headers but the identity. */
export const carrierIn = (fields: MsgHdrs | undefined): Record<string, string> =>
  Object.fromEntries(
    (fields?.keys() ?? [])
      .map((name) => [name.toLowerCase(), fields?.get(name) ?? ''])
      .filter(([name]) => name !== IDENTITY_HEADER),
  );

export const Reply = z.union([z.object({ error: WireError }), z.object({ value: z.unknown() })]);

/** What the answering side of a stream sends: each counts the items sent before it. */
export const Frame = z.discriminatedUnion('kind', [
  /** First: where the asking side is heard. */
  z.object({ kind: z.literal('open'), at: z.number(), control: z.string() }),
  z.object({ kind: z.literal('item'), at: z.number(), value: z.unknown() }),
  z.object({ kind: z.literal('beat'), at: z.number() }),
  z.object({ kind: z.literal('end'), at: z.number() }),
  z.object({ kind: z.literal('error'), at: z.number(), error: WireError }),
]);
export type Frame = z.infer<typeof Frame>;

/** What the asking side of a stream sends. */
export const Control = z.object({ taken: z.number(), cancel: z.boolean().optional() });
export type Control = z.infer<typeof Control>;

/** Items that may be under way or wait to be taken. */
export const STREAM_WINDOW = 32;

/** As bytes that the server carries. Throws TOO_LARGE. */
export const bounded = (value: unknown, what: string, maxPayload: number | undefined): Uint8Array => {
  const bytes = encodeJson(value);
  const limit = (maxPayload ?? Infinity) - HEADER_BYTES;
  if (bytes.length <= limit) return bytes;
  throw new CodedError('TOO_LARGE', `${what} has ${bytes.length} bytes; NATS carries at most ${limit}.`, {
    next: 'Ask for less at once, or raise max_payload of NATS.',
  });
};

/** A token and a trace's context take less. */
const HEADER_BYTES = 4_096;
