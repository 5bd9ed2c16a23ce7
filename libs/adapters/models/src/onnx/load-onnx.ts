import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import ort from 'onnxruntime-node';
import { BERT_BORDERS } from '../encoders/bert-borders.js';
import { PLAIN_BORDERS } from '../encoders/estimate-tokens.js';
import type { Borders } from '../encoders/text-units.js';

/** Where a model and its tokenizer lie: absolute paths. */
export interface OnnxFiles {
  model: string;
  tokenizer: string;
}

export interface OnnxModel {
  tokenizer: Tokenizer;
  /** Where the tokenizer never joins what stands on both sides. */
  borders: Borders;
  /** One encoded text, or pair, through the model: its first output. */
  run(encoded: { ids: number[]; token_type_ids?: number[] }): Promise<ort.Tensor>;
}

/** Loads tokenizer and weights on one thread. What the model takes beside ids and types is not fed to it. */
export const loadOnnx = async ({ model, tokenizer: path }: OnnxFiles): Promise<OnnxModel> => {
  const [session, facts, configuration] = await Promise.all([
    ort.InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 }),
    readFile(path, 'utf8').then((text) => JSON.parse(text) as { pre_tokenizer?: { type?: string } | null }),
    readFile(join(dirname(path), 'tokenizer_config.json'), 'utf8').catch(() => '{}'), // only some exports have one
  ]);
  const row = (numbers: BigInt64Array): ort.Tensor => new ort.Tensor('int64', numbers, [1, numbers.length]);
  const tokenizer = new Tokenizer(
    { ...facts, truncation: null, padding: null }, // its callers mind the limit, and run one text at a time
    JSON.parse(configuration) as object,
  );
  return {
    tokenizer,
    borders: facts.pre_tokenizer?.type === 'BertPreTokenizer' ? BERT_BORDERS : PLAIN_BORDERS,
    run: async ({ ids, token_type_ids: types }) => {
      const inputs: Record<string, ort.Tensor> = {
        input_ids: row(BigInt64Array.from(ids, BigInt)),
        attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
        token_type_ids: row(types ? BigInt64Array.from(types, BigInt) : new BigInt64Array(ids.length)),
      };
      const fed = session.inputNames.filter((name) => name in inputs);
      const output = await session.run(Object.fromEntries(fed.map((name) => [name, inputs[name]!])));
      return output[session.outputNames[0]!]!;
    },
  };
};
