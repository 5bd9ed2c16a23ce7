import type { Encoder } from './encoder.js';

export interface WholeEmbedding {
  /** Unit length. */
  vector: Float32Array;
  /** How many pieces the text was read in: 1 where the encoder took it whole. */
  windows: number;
}

/**
 * One vector per text, in order, however long the texts and however many. A text longer than the encoder takes is
 * read in its windows, whose vectors are averaged and normalised: nothing of it is cut away.
 */
export const embedWhole = async (
  encoder: Encoder,
  texts: readonly string[],
  as: 'query' | 'passage',
  signal?: AbortSignal,
): Promise<WholeEmbedding[]> => {
  const windows = await Promise.all(texts.map((text) => encoder.windows(text)));
  const calls = chunks(windows.flat(), encoder.maxTextsPerCall);
  const vectors = (await Promise.all(calls.map((call) => encoder.embed(call, as, signal)))).flat();
  let from = 0;
  return windows.map(({ length }) => {
    const own = vectors.slice(from, (from += length));
    return { vector: length === 1 ? own[0]! : unitMean(own), windows: length };
  });
};

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

const unitMean = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) vector.forEach((value, i) => (sum[i]! += value));
  const length = Math.hypot(...sum) || 1; // opposite windows cancel out: such a text is like nothing
  return sum.map((value) => value / length);
};
