import { encodeQuestion, type IndexSpec, type Requests, type TenantId } from '@postmaster/contracts';
import { embedWhole } from './embed-whole.js';
import type { Encoder } from './encoder.js';

/** Encodes questions for retrieval, ahead of all bulk work. */
export const answerEncodeQuestion = (
  requests: Requests,
  encoder: Encoder,
  index: (tenant: TenantId) => Promise<IndexSpec>,
): void =>
  requests.answer(encodeQuestion, async ({ tenant }, { text, also = [] }) => {
    const [spec, embedded] = await Promise.all([index(tenant), embedWhole(encoder, [text, ...also], 'query')]);
    const [first, ...rest] = embedded.map(({ vector }) => vector);
    if (!first) throw new Error('The encoder gave no vector for a question.');
    return { index: spec.name, encoder: spec.encoder, vector: first, also: rest };
  });
