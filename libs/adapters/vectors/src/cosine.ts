/** Cosine of two vectors of one dimension; 0 where one of them is nothing but zeros. */
export const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] as number; // within bounds
    const y = b[i] as number;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
};

/** The best cosine of several vectors and which one has it (the first of equals); undefined where there are none. */
export const bestCosine = (
  question: Float32Array,
  vectors: readonly ArrayLike<number>[],
): { score: number; matched: number } | undefined => {
  let best: { score: number; matched: number } | undefined;
  vectors.forEach((vector, matched) => {
    const score = cosine(question, vector);
    if (!best || score > best.score) best = { score, matched };
  });
  return best;
};
