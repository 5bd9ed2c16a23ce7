import type { OnnxFiles } from '../onnx/load-onnx.js';

/** A cross-encoder in this process. It goes to its threads as a message. */
export interface CrossEncoderProfile extends OnnxFiles {
  id: string;
  /** What question and text may have together, the tokens that frame them included. */
  maxTokens: number;
}
