import { LEGS } from '@postmaster/contracts';
import { bootstrapMean } from '../bootstrap.js';
import { seededRandom } from '../seeded-random.js';
import { ascendWeights, type Ascended, ofSumOne } from './ascend-weights.js';
import { documentFolds, separateDocuments } from './document-folds.js';
import type { LegWeights } from './rank-by-weights.js';
import type { TunedFold, TuneReport } from './tune-report.js';

/** A judged question, ready to be ranked by any weights. */
export interface TunedQuestion {
  /** Of its right paragraphs; one at least. */
  documents: readonly string[];
  ndcgBy: (weights: LegWeights) => number;
  /** What counts by default for it. */
  defaults: LegWeights;
}

export const FOLDS = 5;

type Fitted = Pick<
  TuneReport,
  'questions' | 'documents' | 'weights' | 'defaults' | 'train' | 'heldOut' | 'folds' | 'verdict'
>;

/**
 * Weights fitted on all questions, and what such a fit is worth on questions of documents that it has not seen: each of
 * five folds of documents is ranked by weights that were fitted on the other four. The same for a seed.
 */
export const crossValidate = (questions: readonly TunedQuestion[], seed: number): Fitted => {
  const documents = questions.map((one) => one.documents);
  const foldOf = documentFolds(documents, FOLDS, seededRandom(seed));
  const all = fit(questions, seed);
  const heldOut = new Array<number>(questions.length).fill(0);
  const byDefault = questions.map(({ ndcgBy, defaults }) => ndcgBy(defaults));
  const folds = Array.from({ length: FOLDS }, (_, fold): TunedFold => {
    const own = [...questions.keys()].filter((at) => foldOf[at] === fold);
    const { weights } = fit(
      questions.filter((_, at) => foldOf[at] !== fold),
      seed,
    );
    for (const at of own) heldOut[at] = questions[at]!.ndcgBy(weights);
    const meanOf = (values: readonly number[]) => mean(own.map((at) => values[at]!));
    return { weights, questions: own.length, fitted: meanOf(heldOut), default: meanOf(byDefault) };
  });
  const gains = heldOut.map((value, at) => value - byDefault[at]!);
  const difference = bootstrapMean(gains, seededRandom(seed));
  return {
    ...{ questions: questions.length, documents: separateDocuments(documents) },
    weights: all.weights,
    defaults: distinct(questions.map(({ defaults }) => ofSumOne(defaults))),
    train: { fitted: all.value, default: mean(byDefault) },
    heldOut: {
      ...{ fitted: mean(heldOut), default: mean(byDefault), difference },
      better: gains.filter((gain) => gain > 0).length,
      worse: gains.filter((gain) => gain < 0).length,
    },
    folds,
    verdict: difference.low > 0 ? 'better' : difference.high < 0 ? 'worse' : 'open',
  };
};

/** Starts from what counts by default; chance is its own, so that what one fit does changes no other. */
const fit = (questions: readonly TunedQuestion[], seed: number): Ascended => {
  const objective = (weights: LegWeights) => mean(questions.map(({ ndcgBy }) => ndcgBy(weights)));
  const starts = distinct(questions.map(({ defaults }) => defaults));
  const { weights } = ascendWeights(objective, starts, seededRandom(seed));
  const written = rounded(weights);
  return { weights: written, value: objective(written) };
};

/** As they are shown and stored: four digits, of sum 1 but for those. */
const rounded = (weights: LegWeights): LegWeights =>
  Object.fromEntries(LEGS.map((leg) => [leg, Number(weights[leg].toFixed(4))])) as LegWeights; // every leg is named

const distinct = (all: readonly LegWeights[]): LegWeights[] => [
  ...new Map(all.map((weights) => [LEGS.map((leg) => weights[leg]).join(), weights])).values(),
];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
