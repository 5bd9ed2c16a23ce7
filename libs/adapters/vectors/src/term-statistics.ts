const K1 = 1.2;
const B = 0.75;

/**
 * What BM25 needs to know of a tenant's active points, exact at every moment: full-text indexes know it only after
 * compaction, and then count replaced rows for a while. Texts are sorted lists of term hashes (lexical-terms.ts).
 */
export class TermStatistics {
  private readonly points = new Map<number, number>();
  private length = 0;
  total = 0;

  add(terms: Uint32Array): void {
    this.count(terms, 1);
  }

  remove(terms: Uint32Array): void {
    this.count(terms, -1);
  }

  /** How many active points have the term. */
  holding(term: number): number {
    return this.points.get(term) ?? 0;
  }

  /**
   * BM25 (Robertson and Zaragoza 2009) of a text for distinct query terms: k1 1.2, b .75,
   * idf ln(1 + (N − n + .5) / (n + .5)). 0 where no term matches.
   */
  bm25(query: readonly number[], terms: Uint32Array): number {
    const norm = K1 * (1 - B + (B * terms.length * this.total) / Math.max(1, this.length));
    let score = 0;
    for (const term of query) {
      const times = timesIn(terms, term);
      if (times === 0) continue;
      const holding = Math.min(Math.max(1, this.holding(term)), this.total);
      const idf = Math.log(1 + (this.total - holding + 0.5) / (holding + 0.5));
      score += (idf * times * (K1 + 1)) / (times + norm);
    }
    return score;
  }

  private count(terms: Uint32Array, by: 1 | -1): void {
    this.total += by;
    this.length += by * terms.length;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number; // within bounds
      if (i > 0 && term === terms[i - 1]) continue;
      const points = this.holding(term) + by;
      if (points > 0) this.points.set(term, points);
      else this.points.delete(term);
    }
  }
}

const timesIn = (sorted: Uint32Array, term: number): number => {
  let low = 0;
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < term)
      low = middle + 1; // within bounds
    else high = middle;
  }
  let past = low;
  while (sorted[past] === term) past++;
  return past - low;
};
