import { encodePassages, type Requests } from '@postmaster/contracts';
import { embedWhole } from './embed-whole.js';
import type { Encoder } from './encoder.js';

/** Encodes a few passages for a neighbour, as bulk work: a question never waits for them. */
export const answerEncodePassages = (requests: Requests, encoder: Encoder): void =>
  requests.answer(encodePassages, async (_, { texts }) => ({
    encoder: encoder.id,
    vectors: (await embedWhole(encoder, texts, 'passage')).map(({ vector }) => vector),
  }));
