import { type QuestionTerm, termHash } from './lexical-terms.js';

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
   * BM25 (Robertson and Zaragoza 2009) of texts for a question, each of whose terms counts by its weight, as the
   * statistics are now: k1 1.2, b .75, idf ln(1 + (N − n + .5) / (n + .5)). 0 where no term matches.
   */
  bm25(question: readonly QuestionTerm[]): (terms: Uint32Array) => number {
    const asked = question
      .map(({ term, weight }) => ({ hash: termHash(term), gain: weight * (K1 + 1) }))
      .sort((one, other) => one.hash - other.hash);
    const hashes = Uint32Array.from(asked, ({ hash }) => hash);
    const gains = Float64Array.from(asked, ({ hash, gain }) => gain * this.idf(hash));
    const [flat, byLength] = [K1 * (1 - B), (K1 * B * this.total) / Math.max(1, this.length)];
    return (terms) => {
      const norm = flat + byLength * terms.length;
      let score = 0;
      for (let i = 0, from = 0; i < hashes.length; i++) {
        const hash = hashes[i] as number; // within bounds, as below
        from = firstNotBelow(terms, hash, from);
        let past = from;
        while (terms[past] === hash) past++;
        const times = past - from;
        if (times > 0) score += ((gains[i] as number) * times) / (times + norm);
      }
      return score;
    };
  }

  private idf(term: number): number {
    const holding = Math.min(Math.max(1, this.holding(term)), this.total);
    return Math.log(1 + (this.total - holding + 0.5) / (holding + 0.5));
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

/** Where in a sorted list, at `from` or after it, the first number is that is not below `least`. */
const firstNotBelow = (sorted: Uint32Array, least: number, from: number): number => {
  let low = from;
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < least)
      low = middle + 1; // within bounds
    else high = middle;
  }
  return low;
};
