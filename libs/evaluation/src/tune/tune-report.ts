import type { Interval } from '../bootstrap.js';
import type { LegWeights } from './rank-by-weights.js';

/** nDCG@10 of the same questions by the fitted weights and by those that count by default. */
export interface FittedAndDefault {
  fitted: number;
  default: number;
}

export interface TunedFold extends FittedAndDefault {
  /** Fitted without this fold's questions. */
  weights: LegWeights;
  questions: number;
}

export interface TuneReport {
  set: string;
  paragraphs: number;
  /** Those that have a right paragraph, which are what is fitted on. */
  questions: number;
  /** Parts of the set that no question joins: those of one are never in two folds. */
  documents: number;
  /** Fitted on all questions, of sum 1. */
  weights: LegWeights;
  /** What counts by default, of sum 1 too: more than one where the questions' languages have their own. */
  defaults: LegWeights[];
  /** On the questions that the weights were fitted on: no measure of what they are worth. */
  train: FittedAndDefault;
  /** Each question by the weights that were fitted without its document. */
  heldOut: FittedAndDefault & {
    /** Fitted less default. */
    difference: Interval;
    better: number;
    worse: number;
  };
  folds: TunedFold[];
  /** `better`: zero is below the interval. `worse`: zero is above it. `open`: neither is shown. */
  verdict: 'better' | 'worse' | 'open';
  encoder: { id: string; hash: string };
  facets: 'recorded' | 'made';
  seed: number;
  /** Of the program; null where it is not a checkout. */
  commit: string | null;
  /** Hex SHA-256 of the set's files. */
  data: Record<string, string>;
}
