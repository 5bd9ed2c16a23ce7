import { z } from 'zod';

/** The named vectors of a point. Those of questions hold one vector per question; the best counts. */
export const NAMED_VECTORS = ['paragraph', 'simple_questions', 'complex_questions', 'context', 'scope'] as const;
export type NamedVector = (typeof NAMED_VECTORS)[number];
/** Those of a paragraph's facets. */
export const FACET_VECTORS = [
  'simple_questions',
  'complex_questions',
  'context',
  'scope',
] as const satisfies NamedVector[];
export type FacetVector = (typeof FACET_VECTORS)[number];
export const MULTI_VECTORS = ['simple_questions', 'complex_questions'] as const satisfies readonly NamedVector[];
export type MultiVector = (typeof MULTI_VECTORS)[number];
export type SingleVector = Exclude<NamedVector, MultiVector>;

/** The ways a question is matched by the store: each named vector, and BM25 over paragraph and facets together. */
export const LEGS = [...NAMED_VECTORS, 'lexical'] as const;
export const Leg = z.enum(LEGS);
export type Leg = z.infer<typeof Leg>;

/** Beside them, the paragraphs of what a question names, which enrichment knows: it counts nothing unless a question says so. */
export const SCORED_LEGS = [...LEGS, 'entities'] as const;
export const ScoredLeg = z.enum(SCORED_LEGS);
export type ScoredLeg = z.infer<typeof ScoredLeg>;
