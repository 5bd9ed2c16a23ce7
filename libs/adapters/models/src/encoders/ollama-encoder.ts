import { CodedError } from '@postmaster/contracts';
import type { Encoder } from '@postmaster/embedding';
import { z } from 'zod';
import { connectHttpEncoder, type EmbeddingProtocol, type HttpEncoderOptions } from './http-encoder.js';

const Answer = z.object({ embeddings: z.array(z.array(z.number())) });

const OLLAMA: EmbeddingProtocol = {
  provider: 'ollama',
  path: '/api/embed',
  maxTextsPerCall: 32,
  request: (model, texts) => ({ model, input: texts, truncate: false }), // it would cut in silence otherwise
  read: (answer) => Answer.safeParse(answer).data?.embeddings,
};

const OlderAnswer = z.object({ embedding: z.array(z.number()) });

/** Of versions before 0.3, and of servers that copied those; it takes one text, and cuts what is longer than the model takes. */
const OLDER: EmbeddingProtocol = {
  ...{ provider: 'ollama', path: '/api/embeddings', maxTextsPerCall: 32, textsPerRequest: 1 },
  request: (model, [prompt]) => ({ model, prompt }),
  read: (answer) => {
    const { data } = OlderAnswer.safeParse(answer);
    return data && [data.embedding];
  },
};

/** Ollama's `POST {url}/api/embed`; its older /api/embeddings where the server has no such path. */
export const ollamaEncoder = async (options: HttpEncoderOptions): Promise<Encoder> => {
  try {
    return await connectHttpEncoder(OLLAMA, options);
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'ENCODER_REFUSED' || !/status 40[45]/.test(error.message)) throw error;
    return connectHttpEncoder(OLDER, options).catch(() => {
      throw error; // a model that is not there is missing in both
    });
  }
};
