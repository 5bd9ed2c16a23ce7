import { fileURLToPath } from 'node:url';
import type { Encoder } from '@postmaster/embedding';
import type { EncoderProfile } from './encoder-profile.js';
import { onnxEncoder } from './onnx-encoder.js';

/** The id's last number goes up when the same text would get another vector. */
const MINI_LM = {
  id: 'minilm:all-minilm-l6-v2-int8-1',
  dimension: 384,
  maxTokens: 256,
  pooling: 'mean',
  queryPrefix: '',
  passagePrefix: '',
  surelyFits: 254, // its tokenizer makes at most a token of each such character
} as const satisfies Partial<EncoderProfile>;

/** The bundled all-MiniLM-L6-v2 (English, 384 dimensions). Resolves when it is loaded. */
export const miniLM = async ({ threads }: { threads?: number } = {}): Promise<Encoder> => {
  const folder = new URL('.', import.meta.resolve('@postmaster/all-minilm-l6-v2/package.json'));
  const path = (name: string): string => fileURLToPath(new URL(name, folder));
  const files = { model: path('onnx/model_quantized.onnx'), tokenizer: path('tokenizer.json') };
  return onnxEncoder({ ...MINI_LM, ...files }, { threads, name: 'bundled encoder' });
};
