const K1 = 1.2;
const B = 0.75;

/** Runs of letters, digits and underscores, in lower case; no stemming. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/**
 * Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over all texts, exact: k1 1.2,
 * b .75, idf ln(1 + (N − n + .5) / (n + .5)), each word of the question counted once. One score per text, in order.
 */
export const bm25 = (texts: readonly string[]): ((question: string) => Float64Array) => {
  const postings = new Map<string, { text: number; count: number }[]>();
  const lengths = texts.map((text, at) => {
    const words = wordsOf(text);
    for (const word of words) {
      const posting = postings.get(word) ?? [];
      if (posting.length === 0) postings.set(word, posting);
      const last = posting.at(-1);
      if (last?.text === at) last.count++;
      else posting.push({ text: at, count: 1 });
    }
    return words.length;
  });
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / texts.length;
  return (question) => {
    const scores = new Float64Array(texts.length);
    for (const word of new Set(wordsOf(question))) {
      const posting = postings.get(word) ?? [];
      const idf = Math.log(1 + (texts.length - posting.length + 0.5) / (posting.length + 0.5));
      for (const { text, count } of posting) {
        const length = (lengths[text] ?? 0) / meanLength;
        scores[text]! += (idf * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
      }
    }
    return scores;
  };
};
