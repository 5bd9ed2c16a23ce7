import { encodeQuestion, type Reading, type Requests } from '@postmaster/contracts';

/** A reading's vector, with the index that it belongs to. */
export interface EncodedReading {
  vector: Float32Array;
  index: string;
  encoder: string;
}

/**
 * Encodes a reading's search text and variations, each once and in one request, and joins them: the unit mean, as Gao et
 * al. 2022 (HyDE, eq. 8) join a question and what might answer it. One vector means one search, whatever the variations.
 */
export const encodeReading =
  (requests: Pick<Requests, 'ask'>) =>
  async (
    token: string,
    { searchText, variations }: Pick<Reading, 'searchText' | 'variations'>,
  ): Promise<EncodedReading> => {
    const texts = variations.map(({ text }) => text);
    const { also, vector, ...of } = await requests.ask(encodeQuestion, token, {
      text: searchText,
      ...(texts.length > 0 && { also: texts }),
    });
    return { ...of, vector: also && also.length > 0 ? unitMean([vector, ...also]) : vector };
  };

const unitMean = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
  const length = Math.hypot(...sum) || 1; // vectors that cancel out: such a text is like nothing
  return sum.map((value) => value / length);
};

/** What the lexical leg looks for: the search text, and the keywords that it lacks. Variations are no words of the request. */
export const lexicalText = ({ searchText, keywords }: Pick<Reading, 'searchText' | 'keywords'>): string => {
  const present = searchText.toLowerCase();
  return [searchText, ...keywords.filter((keyword) => !present.includes(keyword.toLowerCase()))].join(' ');
};
