import type { OnnxFiles } from '../onnx/load-onnx.js';

/** All that decides the vectors of an encoder in this process. It goes to its threads as a message. */
export interface EncoderProfile extends OnnxFiles {
  id: string;
  dimension: number;
  /** What a text may have, its prefix and the tokens that frame it included. */
  maxTokens: number;
  /** How token vectors become one: their mean, or the first one's, which stands for the whole. */
  pooling: 'mean' | 'cls';
  queryPrefix: string;
  passagePrefix: string;
  /** Text of at most so many characters up to U+024F has at most `maxTokens` tokens for sure. */
  surelyFits: number;
}
