import { cutToFit } from '../encoders/cut-to-fit.js';
import { loadOnnx } from '../onnx/load-onnx.js';
import type { CrossEncoderProfile } from './cross-encoder-profile.js';

export interface CrossEncoderModel {
  /**
   * 0…1: the sigmoid of the model's one logit, and the best window's where a text is too long for one. Of a question
   * that takes more than half of the tokens, the first part is asked.
   */
  score(question: string, text: string): Promise<number>;
}

/** One pair a run, as of the encoders. Throws where the model gives anything but one logit a pair. */
export const loadCrossEncoder = async (profile: CrossEncoderProfile): Promise<CrossEncoderModel> => {
  const { tokenizer, borders, run } = await loadOnnx(profile);
  const { maxTokens } = profile;
  const bare = (text: string): number => tokenizer.encode(text, { add_special_tokens: false }).ids.length;
  const framed = (question: string, text: string) =>
    tokenizer.encode(question, { text_pair: text, return_token_type_ids: true });

  const scoreOne = async (question: string, text: string): Promise<number> => {
    const { dims, data } = await run(framed(question, text));
    if (data.length !== 1)
      throw new Error(`it gives [${dims.join(', ')}] for a pair where one logit was expected`);
    return 1 / (1 + Math.exp(-Number(data[0])));
  };

  const half = Math.floor(maxTokens / 2);
  const shortened = (question: string): string =>
    cutToFit(question, { borders, tokensOf: bare, most: half, fits: (piece) => bare(piece) <= half })[0]!;

  return {
    score: async (question, text) => {
      const asked = shortened(question);
      const tokens = (piece: string): number => framed(asked, piece).ids.length;
      const room = { borders, tokensOf: bare, most: maxTokens - tokens(''), fits: (piece: string) => tokens(piece) <= maxTokens };
      const scores: number[] = [];
      for (const piece of cutToFit(text, room)) scores.push(await scoreOne(asked, piece));
      return Math.max(...scores);
    },
  };
};
