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

/** Ollama's `POST {url}/api/embed`. */
export const ollamaEncoder = (options: HttpEncoderOptions): Promise<Encoder> => connectHttpEncoder(OLLAMA, options);
