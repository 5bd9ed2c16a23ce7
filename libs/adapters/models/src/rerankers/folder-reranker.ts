import { CodedError } from '@postmaster/contracts';
import type { Reranker } from '@postmaster/retrieval';
import { z } from 'zod';
import { RERANKER_SERVICE } from '../model-service.js';
import { askThreads } from '../onnx/ask-threads.js';
import { FOLDER_FIELDS, readModelFolder } from '../onnx/model-folder.js';
import type { Reply } from '../onnx/onnx-messages.js';
import { workerEntry } from '../onnx/onnx-thread.js';
import { OnnxThreads } from '../onnx/onnx-threads.js';
import { newControl } from '../onnx/thread-control.js';

const MAX_TEXTS_PER_CALL = 1_024;
const Profile = z.strictObject({ ...FOLDER_FIELDS, maxTokens: z.number().int().min(64).max(131_072).default(512) });
const EXAMPLE = { name: 'my-cross-encoder', maxTokens: 512 };

export interface FolderRerankerOptions {
  /** 1 unless set. Each loads the weights once more. */
  threads?: number;
  /** Instead of what the profile says. */
  maxTokens?: number;
}

/**
 * A cross-encoder in this process, from a folder with its ONNX model (input_ids, attention_mask and, if it likes,
 * token_type_ids of a pair → one logit), `tokenizer.json` and, if it is to have another name or more than 512 tokens,
 * `postmaster.json`. Resolves when it is loaded. Throws CONFIG_INVALID where a file is missing, RERANKER_UNREACHABLE
 * where it can't be loaded.
 */
export const rerankerFromFolder = async (
  folder: string,
  { threads = 1, maxTokens: most }: FolderRerankerOptions = {},
): Promise<Reranker> => {
  const { name, profile, ...files } = await readModelFolder('RERANKER_FOLDER', folder, Profile, EXAMPLE);
  const { maxTokens } = { ...profile, ...(most && { maxTokens: most }) };
  const id = `onnx:${name}`;
  const service = { ...RERANKER_SERVICE, name: `reranker in ${folder}` };
  const model = { kind: 'cross-encoder', profile: { id, maxTokens, ...files } } as const;
  const pool = new OnnxThreads(workerEntry(), newControl(), threads - 1, model, service); // one more is for queries
  await pool.start().catch(async (error: unknown) => {
    await pool.close();
    throw error;
  });
  const scoreOf = (reply: Reply): { score: number } => {
    if (reply.kind === 'score') return { score: reply.score };
    const why = reply.kind === 'failed' ? reply.why : reply.kind;
    throw new CodedError('RERANKER_MALFORMED', `The ${service.name} failed: ${why}.`, {
      next: 'Export it with one logit for a pair of question and text.',
    });
  };
  return {
    ...{ id, maxTokens },
    maxTextsPerCall: MAX_TEXTS_PER_CALL,
    rerank: ({ text: question }, passages, signal) =>
      askThreads(
        pool,
        passages.map(({ text }) => ({ kind: 'pair', question, text })),
        scoreOf,
        signal,
      ),
    close: () => pool.close(),
  };
};
