import type { Encoder } from '@postmaster/embedding';
import { z } from 'zod';
import { connectHttpEncoder, type EmbeddingProtocol, type HttpEncoderOptions } from './http-encoder.js';

const Answer = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.union([z.array(z.number()), z.base64()]) })),
});

const OPENAI: EmbeddingProtocol = {
  provider: 'openai',
  path: '/embeddings',
  maxTextsPerCall: 32, // the smallest limit among the usual servers'
  request: (model, texts) => ({ model, input: texts, encoding_format: 'float' }),
  read: (answer) => {
    const { data } = Answer.safeParse(answer);
    return data?.data
      .map(({ index, embedding }, place) => ({ index: index ?? place, embedding }))
      .sort((a, b) => a.index - b.index)
      .map(({ embedding }) => (typeof embedding === 'string' ? floatsOf(embedding) : embedding));
  },
};

/** OpenAI's `POST {url}/embeddings`, as many services speak it. `url` usually ends in /v1. */
export const openAiEncoder = (options: HttpEncoderOptions): Promise<Encoder> => connectHttpEncoder(OPENAI, options);

/** Little-endian 32-bit floats, as base64. */
const floatsOf = (base64: string): number[] => {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length >> 2 }, (_, i) => bytes.readFloatLE(i * 4));
};
