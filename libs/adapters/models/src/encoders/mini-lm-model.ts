import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import ort from 'onnxruntime-node';
import { BERT_BORDERS } from './bert-borders.js';
import { cutWindows } from './cut-windows.js';
import { MINI_LM } from './mini-lm-facts.js';
import { unitsOf } from './text-units.js';

export interface MiniLMModel {
  /** The unit-length mean of the token vectors, or how many tokens the text has where those are too many. */
  encode(text: string): Promise<Float32Array<ArrayBuffer> | number>;
  windows(text: string): string[];
}

const SPECIAL_TOKENS = 2; // [CLS] and [SEP]

/** Loads tokenizer and weights from the bundled package. One text a run: see that package's README. */
export const loadMiniLM = async (): Promise<MiniLMModel> => {
  const folder = new URL('.', import.meta.resolve('@postmaster/all-minilm-l6-v2/package.json'));
  const read = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');
  const [session, vocabulary, configuration] = await Promise.all([
    ort.InferenceSession.create(fileURLToPath(new URL('onnx/model_quantized.onnx', folder)), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    }),
    read('tokenizer.json'),
    read('tokenizer_config.json'),
  ]);
  const tokenizer = new Tokenizer(JSON.parse(vocabulary) as object, JSON.parse(configuration) as object);
  const tokensOf = (piece: string): number => tokenizer.encode(piece, { add_special_tokens: false }).ids.length;
  return {
    encode: async (text) => {
      const { ids } = tokenizer.encode(text);
      if (ids.length > MINI_LM.maxTokens) return ids.length;
      const row = (numbers: BigInt64Array): ort.Tensor => new ort.Tensor('int64', numbers, [1, ids.length]);
      const output = await session.run({
        input_ids: row(BigInt64Array.from(ids, BigInt)),
        attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
        token_type_ids: row(new BigInt64Array(ids.length)),
      });
      return unitMean(output['last_hidden_state']!.data as Float32Array); // the export's only output, float32
    },
    windows: (text) => {
      const most = MINI_LM.maxTokens - SPECIAL_TOKENS;
      return tokensOf(text) <= most ? [text] : cutWindows(text, unitsOf(text, BERT_BORDERS, tokensOf), most);
    },
  };
};

/** Rows of token vectors → their mean, at unit length. Nothing is padded, so every row counts. */
const unitMean = (rows: Float32Array): Float32Array<ArrayBuffer> => {
  const sums = new Float64Array(MINI_LM.dimension);
  for (let at = 0; at < rows.length; at += sums.length) for (let i = 0; i < sums.length; i++) sums[i]! += rows[at + i]!;
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (sum) => sum / length);
};
