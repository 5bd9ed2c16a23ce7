import { CodedError } from '@postmaster/contracts';
import type { Encoder } from '@postmaster/embedding';
import { encoderFromFolder } from './folder-encoder.js';
import type { HttpEncoderOptions } from './http-encoder.js';
import { miniLM } from './mini-lm.js';
import { ollamaEncoder } from './ollama-encoder.js';
import { openAiEncoder } from './openai-encoder.js';

/** The variables that name an encoder. */
export const ENCODER_VARIABLES = [
  'ENCODER_PROVIDER',
  'ENCODER_URL',
  'ENCODER_FOLDER',
  'ENCODER_MODEL',
  'ENCODER_API_KEY',
  'ENCODER_MAX_TOKENS',
  'ENCODER_THREADS',
] as const;

/** Environment variables, parsed. With no provider named, the bundled encoder. */
export interface EncoderConfig {
  ENCODER_PROVIDER?: 'minilm' | 'openai' | 'ollama' | 'onnx';
  ENCODER_URL?: string;
  /** Of an `onnx` encoder: its model, tokenizer.json and postmaster.json. */
  ENCODER_FOLDER?: string;
  ENCODER_MODEL?: string;
  ENCODER_API_KEY?: string;
  /** Of an encoder in this process; one per core unless set. */
  ENCODER_THREADS?: number;
  /** What a served model takes a text; 512 unless set. */
  ENCODER_MAX_TOKENS?: number;
}

/**
 * The configured encoder, tried once: ENCODER_UNREACHABLE or ENCODER_REFUSED where it does not answer as it should,
 * CONFIG_INVALID where a variable is missing.
 */
export const encoderFromConfig = async (config: EncoderConfig): Promise<Encoder> => {
  if (config.ENCODER_PROVIDER === 'openai') return openAiEncoder(serviceOf(config));
  if (config.ENCODER_PROVIDER === 'ollama') return ollamaEncoder(serviceOf(config));
  if (config.ENCODER_PROVIDER === 'onnx') {
    if (config.ENCODER_FOLDER) return encoderFromFolder(config.ENCODER_FOLDER, { threads: config.ENCODER_THREADS });
    throw new CodedError('CONFIG_INVALID', 'ENCODER_PROVIDER is "onnx", which also needs ENCODER_FOLDER.');
  }
  return miniLM({ threads: config.ENCODER_THREADS });
};

const serviceOf = (config: EncoderConfig): HttpEncoderOptions => {
  const { ENCODER_PROVIDER: provider, ENCODER_URL: url, ENCODER_MODEL: model } = config;
  const missing = [url ? [] : ['ENCODER_URL'], model ? [] : ['ENCODER_MODEL']].flat();
  if (!url || !model)
    throw new CodedError('CONFIG_INVALID', `ENCODER_PROVIDER is "${provider}", which also needs ${missing.join(' and ')}.`);
  const { username, password } = new URL(url);
  if (username || password)
    throw new CodedError('CONFIG_INVALID', 'ENCODER_URL holds a name or password; give a key in ENCODER_API_KEY instead.');
  return { url, model, apiKey: config.ENCODER_API_KEY, maxTokens: config.ENCODER_MAX_TOKENS };
};
