import { type Leg, LEGS, type NamedVector, NAMED_VECTORS } from '@postmaster/contracts';
import { bm25 } from './bm25.js';

/** A paragraph with what it is searched by; vectors are of unit length, a missing or empty name is a missing leg. */
export interface SearchedParagraph {
  id: string;
  text: string;
  /** Its facets' texts: with the paragraph's own they are the lexical field. */
  facetTexts: readonly string[];
  vectors: Partial<Record<NamedVector, readonly Float32Array[]>>;
}

export interface AskedQuestion {
  text: string;
  vector: Float32Array;
}

/** The ids of the paragraphs, best first. */
export type Way = (question: AskedQuestion) => string[];

export interface CandidateScores {
  id: string;
  scores: Partial<Record<Leg, number>>;
}
/** The fusion under test: retrieval's `fuseScores`. */
export type Fuse = (candidates: readonly CandidateScores[]) => { candidate: CandidateScores; score: number }[];

const RRF_K = 60;
const PER_LEG = 50;

/** By the cosine of the paragraph's own vector, over all paragraphs. */
export const byParagraph = (paragraphs: readonly SearchedParagraph[]): Way => {
  const score = vectorScores(paragraphs, 'paragraph');
  return (question) => ids(paragraphs, ranking(score(question)));
};

/** By BM25 of the paragraph's text. */
export const byWords = (paragraphs: readonly SearchedParagraph[]): Way => {
  const score = bm25(paragraphs.map(({ text }) => text));
  return (question) => ids(paragraphs, ranking(score(question.text)));
};

/** Paragraph vector and BM25 by reciprocal rank fusion, k 60 (Cormack, Clarke and Büttcher, SIGIR 2009). */
export const byRankFusion = (paragraphs: readonly SearchedParagraph[]): Way => {
  const vector = vectorScores(paragraphs, 'paragraph');
  const lexical = bm25(paragraphs.map(({ text }) => text));
  return (question) => {
    const fused = new Float64Array(paragraphs.length);
    const words = lexical(question.text);
    for (const [scores, counts] of [
      [vector(question), () => true],
      [words, (at: number) => words[at]! > 0],
    ] as const)
      for (const [rank, at] of ranking(scores).entries()) if (counts(at)) fused[at]! += 1 / (RRF_K + rank + 1);
    return ids(paragraphs, ranking(fused));
  };
};

/** Paragraph vector and BM25 by z-scores over all paragraphs, the vector's times `weight`. */
export const byWeightedScores = (paragraphs: readonly SearchedParagraph[], weight: number): Way => {
  const vector = vectorScores(paragraphs, 'paragraph');
  const lexical = bm25(paragraphs.map(({ text }) => text));
  return (question) => {
    const cosines = zScores(vector(question));
    const words = zScores(lexical(question.text));
    return ids(paragraphs, ranking(cosines.map((cosine, at) => weight * cosine + words[at]!)));
  };
};

/**
 * Composite retrieval as in production, exact: the union of each leg's best 50, every candidate's score on every leg
 * that it has, fused. No candidate comes by the lexical leg without a word in common.
 */
export const byComposite = (paragraphs: readonly SearchedParagraph[], fuse: Fuse): Way => {
  const vectors = NAMED_VECTORS.map((leg) => ({ leg, score: vectorScores(paragraphs, leg) }));
  const lexical = bm25(paragraphs.map(({ text, facetTexts }) => [text, ...facetTexts].join('\n')));
  return (question) => {
    const legs = new Map<Leg, Float64Array>(vectors.map(({ leg, score }) => [leg, score(question)]));
    legs.set('lexical', lexical(question.text));
    const candidates = new Set<number>();
    for (const [leg, scores] of legs)
      for (const at of ranking(scores).slice(0, PER_LEG)) if (leg !== 'lexical' || scores[at]! > 0) candidates.add(at);
    return fuse([...candidates].map((at) => candidate(paragraphs[at]!.id, legs, at))).map((one) => one.candidate.id);
  };
};

const candidate = (id: string, legs: ReadonlyMap<Leg, Float64Array>, at: number): CandidateScores => ({
  id,
  scores: Object.fromEntries(
    LEGS.map((leg) => [leg, legs.get(leg)?.[at] ?? NaN] as const).filter(([, score]) => !Number.isNaN(score)),
  ),
});

/** The best cosine among a paragraph's vectors of a name; NaN where it has none. */
const vectorScores =
  (paragraphs: readonly SearchedParagraph[], name: NamedVector) =>
  ({ vector }: AskedQuestion): Float64Array =>
    Float64Array.from(paragraphs, ({ vectors }) => {
      const own = vectors[name] ?? [];
      return own.length === 0 ? NaN : Math.max(...own.map((one) => dot(vector, one)));
    });

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};

const zScores = (scores: Float64Array): Float64Array => {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length;
  return scores.map((score) => (variance > 0 ? (score - mean) / Math.sqrt(variance) : 0));
};

/** Indices by score, best first; equals in their order, missing ones left out. */
const ranking = (scores: Float64Array): number[] =>
  [...scores.keys()].filter((at) => !Number.isNaN(scores[at])).sort((a, b) => scores[b]! - scores[a]! || a - b);

const ids = (paragraphs: readonly SearchedParagraph[], order: readonly number[]): string[] =>
  order.map((at) => paragraphs[at]!.id);
