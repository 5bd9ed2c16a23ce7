import { access } from 'node:fs/promises';
import { CodedError } from '@postmaster/contracts';
import type { Encoder } from '@postmaster/embedding';
import { z } from 'zod';
import { fingerprint, FOLDER_FIELDS, readModelFolder } from '../onnx/model-folder.js';
import type { EncoderProfile } from './encoder-profile.js';
import { onnxEncoder } from './onnx-encoder.js';

const Profile = z.strictObject({
  ...FOLDER_FIELDS,
  dimension: z.number().int().min(1).max(65_536),
  maxTokens: z.number().int().min(16).max(131_072),
  pooling: z.enum(['mean', 'cls']),
  queryPrefix: z.string().max(1_000).default(''),
  passagePrefix: z.string().max(1_000).default(''),
});
const EXAMPLE = { dimension: 384, maxTokens: 256, pooling: 'mean', queryPrefix: '', passagePrefix: '' };

/**
 * An encoder that was made elsewhere, from a folder with its ONNX model (input_ids, attention_mask and, if it likes,
 * token_type_ids → one vector a token), `tokenizer.json` and `postmaster.json`. Its id holds a hash of all of them, so
 * that other weights, another tokenizer or profile mean another index. Tried once. Throws CONFIG_INVALID where
 * something is missing, ENCODER_UNREACHABLE where it can't be loaded, ENCODER_REFUSED where it gives something else.
 */
export const encoderFromFolder = async (folder: string, { threads }: { threads?: number } = {}): Promise<Encoder> => {
  const { name, profile, ...files } = await readModelFolder('ENCODER_FOLDER', folder, Profile, EXAMPLE);
  const { dimension, maxTokens, pooling, queryPrefix, passagePrefix } = profile;
  const decides = { dimension, maxTokens, pooling, queryPrefix, passagePrefix };
  const weights = await withExternalData(files.model);
  const full: EncoderProfile = {
    ...files,
    ...decides,
    id: `onnx:${name}-${await fingerprint([...weights, files.tokenizer], decides)}`,
    surelyFits: surelyFits(maxTokens, Math.max(queryPrefix.length, passagePrefix.length)),
  };
  const encoder = await onnxEncoder(full, { threads, name: `encoder in ${folder}` });
  try {
    await encoder.embed(['probe'], 'query');
    return encoder;
  } catch (error) {
    await encoder.close();
    if (!(error instanceof CodedError)) throw error;
    throw new CodedError(error.code, error.message, { next: 'Correct postmaster.json, or export the model anew.' });
  }
};

/** Exports of above 2 GB keep their weights in a file beside. */
const withExternalData = async (model: string): Promise<string[]> => {
  const data = `${model}_data`;
  return access(data).then(
    () => [model, data],
    () => [model],
  );
};

/** Tokenizers that go by bytes make up to two tokens of a Latin character, up to four of another. */
const surelyFits = (maxTokens: number, prefix: number): number => Math.max(0, Math.floor((maxTokens - 8) / 2) - 2 * prefix);
