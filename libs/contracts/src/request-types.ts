import { z } from 'zod';
import { AnswerEvent, AnswerRequest } from './answer.js';
import { Scope } from './identity.js';
import { Failure } from './failure.js';
import { TenantId } from './ids.js';
import { requestType } from './requests.js';
import { SearchSettings } from './search.js';

/** The gateway's own questions, asked before any tenant is known, carry an identity of this subject. */
export const GATEWAY_SUBJECT = 'gateway';

/** Whose key is it? Asked with the key's SHA-256, never the key. */
export const verifyKey = requestType({
  subject: 'tenants.verify-key',
  input: z.object({ keyHash: z.string().length(64) }),
  output: z.object({ key: z.object({ id: z.string(), tenant: TenantId, scopes: z.array(Scope) }).nullable() }),
  timeoutMs: 5_000,
});

export const TenantProfile = z.object({
  tenant: TenantId,
  name: z.string(),
  paragraphWords: z.number().int().min(20).max(1000),
  longParagraphs: z.enum(['split', 'refuse']),
  search: SearchSettings.default({}),
});
export type TenantProfile = z.infer<typeof TenantProfile>;

export const tenantProfile = requestType({
  subject: 'tenants.profile',
  input: z.object({}),
  output: TenantProfile,
  timeoutMs: 2_000,
});

/** One unit-length vector for a question, with the index that its encoder fills. */
export const encodeQuestion = requestType({
  subject: 'embedding.encode-question',
  input: z.object({ text: z.string().min(1) }),
  output: z.object({
    index: z.string(),
    encoder: z.string(),
    vector: z.custom<Float32Array>((value) => value instanceof Float32Array),
  }),
  timeoutMs: 10_000,
});

/** Why facets wait to be made, where they do. */
export const enrichmentPause = requestType({
  subject: 'enrichment.pause',
  input: z.object({}),
  output: z.object({ paused: Failure.nullable() }),
  timeoutMs: 500,
});

/** Which of these paragraphs are still there and belong to an active version. */
export const livingParagraphs = requestType({
  subject: 'ingestion.living-paragraphs',
  input: z.object({ ids: z.array(z.string()).max(200) }),
  output: z.object({ living: z.array(z.string()) }),
  timeoutMs: 1_000,
});

/** Search and answer as one stream; expected failures come as its `refused` event. Folded, it is `ask`. */
export const answerStream = requestType({
  subject: 'retrieval.answer-stream',
  input: AnswerRequest,
  output: AnswerEvent,
  timeoutMs: 120_000,
});
