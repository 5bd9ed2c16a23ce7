import { loadOnnx } from '../onnx/load-onnx.js';
import { cutToFit } from './cut-to-fit.js';
import type { EncoderProfile } from './encoder-profile.js';

export interface OnnxEncoderModel {
  /** The unit-length vector, or how many tokens the text has where those are too many. */
  encode(text: string, as: 'query' | 'passage'): Promise<Float32Array<ArrayBuffer> | number>;
  windows(text: string): string[];
}

/** One text a run: the README of the bundled model says why. Throws where its rows are not of the profile's dimension. */
export const loadEncoderModel = async (profile: EncoderProfile): Promise<OnnxEncoderModel> => {
  const { tokenizer, borders, run } = await loadOnnx(profile);
  const { dimension, maxTokens, pooling } = profile;
  const prefixes = { query: profile.queryPrefix, passage: profile.passagePrefix };
  const framed = (text: string): number => tokenizer.encode(text).ids.length;
  const bare = (text: string): number => tokenizer.encode(text, { add_special_tokens: false }).ids.length;
  const longest = Object.values(prefixes).sort((a, b) => bare(b) - bare(a))[0]!;
  return {
    encode: async (text, as) => {
      const encoded = tokenizer.encode(prefixes[as] + text);
      if (encoded.ids.length > maxTokens) return encoded.ids.length;
      const { dims, data } = await run(encoded);
      if (dims.length !== 3 || dims[2] !== dimension)
        throw new Error(`it gives [${dims.join(', ')}] for a text where [1, tokens, ${dimension}] was expected`);
      const rows = data as Float32Array; // float32 is what the exports of encoders give
      return atUnitLength(pooling === 'cls' ? rows.subarray(0, dimension) : meanOf(rows, dimension));
    },
    windows: (text) =>
      cutToFit(text, {
        borders,
        tokensOf: bare,
        most: maxTokens - framed(longest),
        fits: (piece) => framed(longest + piece) <= maxTokens,
      }),
  };
};

/** Nothing is padded, so every row counts. */
const meanOf = (rows: Float32Array, dimension: number): Float64Array => {
  const sums = new Float64Array(dimension);
  for (let at = 0; at < rows.length; at += dimension) for (let i = 0; i < dimension; i++) sums[i]! += rows[at + i]!;
  return sums;
};

const atUnitLength = (values: Float32Array | Float64Array): Float32Array<ArrayBuffer> => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
