import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CodedError } from '@postmaster/contracts';
import { z } from 'zod';
import type { OnnxFiles } from './load-onnx.js';

/** The file of a model's folder that says what the weights don't. */
export const PROFILE = 'postmaster.json';
const MODELS = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx'];

/** What every profile may say. */
export const FOLDER_FIELDS = {
  /** Part of the id; the folder's name unless set. */
  name: z
    .string()
    .regex(/^[\w.-]{1,80}$/)
    .optional(),
  /** The model's path within the folder; the first of MODELS that is there unless set. */
  model: z.string().min(1).optional(),
};

interface FolderFields {
  name?: string;
  model?: string;
}

export interface ModelFolder<P> extends OnnxFiles {
  name: string;
  profile: P;
}

/**
 * Finds a model in a folder: its weights, `tokenizer.json`, and the profile in `postmaster.json`; where there
 * is none, `{}` is read. Throws
 * CONFIG_INVALID naming the variable, all that is missing, and what the profile should say.
 */
export const readModelFolder = async <P extends FolderFields>(
  variable: string,
  folder: string,
  schema: z.ZodType<P>,
  example: object,
): Promise<ModelFolder<P>> => {
  const root = resolve(folder);
  const wrong = (what: string): CodedError =>
    new CodedError('CONFIG_INVALID', `${variable} is "${root}", ${what}.`, {
      next: `The folder needs a model (${MODELS[0]} or ${MODELS[1]}), tokenizer.json, and ${PROFILE}, such as ${JSON.stringify(example)}.`,
    });
  const text = await readFile(join(root, PROFILE), 'utf8').catch(() => undefined);
  const profile = schema.safeParse(jsonOf(text ?? '{}'));
  const candidates = profile.data?.model ? [profile.data.model] : MODELS;
  const model = await firstThere(candidates.map((name) => join(root, name)));
  const tokenizer = await firstThere([join(root, 'tokenizer.json')]);
  const missing = [
    ...(model ? [] : [`a model (${candidates.join(', ')})`]),
    ...(tokenizer ? [] : ['tokenizer.json']),
    ...(text === undefined && !profile.success ? [PROFILE] : []),
  ];
  if (!model || !tokenizer || missing.length > 0) throw wrong(`which lacks ${missing.join(' and ')}`);
  if (!profile.success) {
    const issues = profile.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
    throw wrong(`whose ${PROFILE} is wrong (${issues.join('; ')})`);
  }
  return { model, tokenizer, name: profile.data.name ?? basename(root), profile: profile.data };
};

/** The first 12 hexadecimal digits of the SHA-256 over files, and over whatever else decides what comes out. */
export const fingerprint = async (paths: readonly string[], rest: object): Promise<string> => {
  const hash = createHash('sha256').update(JSON.stringify(rest));
  for (const path of paths) for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 12);
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const firstThere = async (paths: readonly string[]): Promise<string | undefined> => {
  for (const path of paths)
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  return undefined;
};
