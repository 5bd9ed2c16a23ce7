import { z } from 'zod';
import { requestType } from './requests.js';

/** What a caller names a write by: 1 to 255 visible ASCII characters. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/** An answer beyond this is not kept: its key stays free. */
export const MAX_KEPT_ANSWER = 256 * 1024;
/** How long a claim lasts that nobody renews; then its process is taken to be dead. */
export const CLAIM_LASTS_MS = 60_000;
/** How long an answer is kept. */
export const ANSWERS_KEPT_MS = 24 * 3_600_000;

export const KeptAnswer = z.object({
  /** SHA-256 of all that the request said. */
  print: z.string().length(64),
  status: z.number().int(),
  location: z.string().nullable(),
  /** JSON. */
  body: z.string().max(MAX_KEPT_ANSWER),
});
export type KeptAnswer = z.infer<typeof KeptAnswer>;

/**
 * Claims a tenant's key for a write, or gives the answer of the write that had it. `print` is null where it is known
 * only when the request has been read: the asker compares then. Throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS.
 */
export const beginWrite = requestType({
  subject: 'tenants.begin-write',
  input: z.object({ key: IdempotencyKey, print: KeptAnswer.shape.print.nullable() }),
  output: z.discriminatedUnion('state', [
    z.object({ state: z.literal('begun'), claim: z.string() }),
    KeptAnswer.extend({ state: z.literal('told') }),
  ]),
  timeoutMs: 5_000,
});

const Claim = z.object({ key: IdempotencyKey, claim: z.string() });

/** Says that the write goes on. */
export const holdWrite = requestType({
  subject: 'tenants.hold-write',
  input: Claim,
  output: z.object({}),
  timeoutMs: 5_000,
});

/** Keeps the answer of a write; null where nothing was written, which frees the key. */
export const endWrite = requestType({
  subject: 'tenants.end-write',
  input: Claim.extend({ answer: KeptAnswer.nullable() }),
  output: z.object({}),
  timeoutMs: 5_000,
});
