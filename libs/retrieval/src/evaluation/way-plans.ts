import {
  EVALUATION_LIMITS,
  type EvaluationCollection,
  type EvaluationWay,
  type Leg,
  LEGS,
} from '@postmaster/contracts';
import type { FuseOptions } from '../fuse-scores.js';
import { PER_LEG } from '../gather-candidates.js';

/** How a way ranks: which points, which legs with which weights, how they are fused, and how deep each leg's list is. */
export interface WayPlan {
  collection: EvaluationCollection;
  legs: readonly Leg[];
  fuse: FuseOptions & { weights: Record<Leg, number> };
  depth: number;
  /** Reciprocal ranks of the lists themselves, as it is done elsewhere: a list without a paragraph gives it nothing. */
  ranksOnly?: { k: number };
}

type Weights = Readonly<Record<Leg, number>>;

/** Rivals are fused over lists much deeper than production's: none loses for what its lists cut off. */
const DEEP = 1_000;
const ALL: number = EVALUATION_LIMITS.paragraphs;

const plan = (
  collection: EvaluationCollection,
  weights: Partial<Record<Leg, number>>,
  {
    depth = DEEP,
    ranksOnly,
    ...fuse
  }: Omit<FuseOptions, 'weights'> & Partial<Pick<WayPlan, 'depth' | 'ranksOnly'>> = {},
): WayPlan => {
  const weightOf = (leg: Leg): number => weights[leg] ?? 0;
  const all = Object.fromEntries(LEGS.map((leg) => [leg, weightOf(leg)])) as Record<Leg, number>; // every leg is named
  return {
    collection,
    legs: LEGS.filter((leg) => weightOf(leg) > 0),
    fuse: { ...fuse, weights: all },
    depth,
    ranksOnly,
  };
};

/** Cormack, Clarke and Büttcher, SIGIR 2009. */
const RRF = { ranksOnly: { k: 60 } };
const PARAGRAPH = { paragraph: 1 };
const WORDS = { lexical: 1 };
const BOTH = { ...PARAGRAPH, ...WORDS };
/** As in the evaluation data's own table; equal weights do better where the encoder does not know the language. */
const BOTH_WEIGHTED = { paragraph: 1, lexical: 0.5 };
const QUESTIONS = { simple_questions: 1, complex_questions: 1 };
const FIVE_VECTORS = { ...PARAGRAPH, ...QUESTIONS, context: 1, scope: 1 };

/** The ways that are searched for by themselves. */
export const WAY_PLANS: Readonly<Partial<Record<EvaluationWay, WayPlan>>> = {
  paragraph: plan('composite', PARAGRAPH),
  bm25: plan('plain', WORDS),
  'hybrid-rrf': plan('plain', BOTH, RRF),
  'hybrid-weighted': plan('plain', BOTH_WEIGHTED, { fusion: 'z-score' }),
  'hybrid-weighted-equal': plan('plain', BOTH, { fusion: 'z-score' }),
  'contextual-rrf': plan('contextual', BOTH, RRF),
  'contextual-weighted': plan('contextual', BOTH_WEIGHTED, { fusion: 'z-score' }),
  'contextual-weighted-equal': plan('contextual', BOTH, { fusion: 'z-score' }),
  'bm25-facets': plan('composite', WORDS),
  questions: plan('composite', QUESTIONS, { fusion: 'max' }),
  'simple-questions': plan('composite', { simple_questions: 1 }),
  'complex-questions': plan('composite', { complex_questions: 1 }),
  'questions-joined': plan('joined', QUESTIONS, { fusion: 'max' }),
  mean: plan('composite', FIVE_VECTORS, { fusion: 'mean' }),
  max: plan('composite', FIVE_VECTORS, { fusion: 'max' }),
  softmax: plan('composite', FIVE_VECTORS, { fusion: 'softmax' }),
  rrf: plan('composite', FIVE_VECTORS, RRF),
};

/** What a question's vector is compared with once an answer has been made up for it. */
export const HYDE_PLAN = plan('composite', PARAGRAPH);

/** As the search of production ranks with these weights. */
export const compositePlan = (weights: Weights): WayPlan => plan('composite', weights, { depth: PER_LEG });

/** The same over all paragraphs: what its candidates leave out. */
export const exactPlan = (weights: Weights): WayPlan => plan('composite', weights, { depth: ALL });

/** The same without one of the legs, whose candidates it lacks too. */
export const ablationPlans = (weights: Weights): Readonly<Partial<Record<EvaluationWay, WayPlan>>> =>
  Object.fromEntries(
    LEGS.map((leg) => [`without-${leg}`, plan('composite', { ...weights, [leg]: 0 }, { depth: PER_LEG })]),
  );
