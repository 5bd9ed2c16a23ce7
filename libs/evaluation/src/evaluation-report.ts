import type { EvaluationHit, EvaluationWay, Leg, ModelUsage } from '@postmaster/contracts';
import type { Interval } from './bootstrap.js';
import type { Metric, Scores } from './metrics.js';

export interface WayFigures extends Scores {
  /** Milliseconds of the questions that were timed, encoding included; null where none was. */
  p50Ms: number | null;
  p95Ms: number | null;
  /** Of the language model, where the way needs one. */
  usage?: ModelUsage;
  /** Questions for which the model gave nothing, and which stood alone. */
  unanswered?: number;
}

/** Composite against the best of all other ways by one metric. */
export interface Comparison {
  rival: EvaluationWay;
  /** Composite less the rival, with its interval. */
  difference: Interval;
  /** Whether zero is outside, and on which side. */
  verdict: 'win' | 'loss' | 'open';
}

export type Comparisons = Record<Metric, Comparison>;

/** A question that composite and the best rival (by nDCG@10) do not answer alike in the first place. */
export interface DecidedQuestion {
  id: string;
  text: string;
  /** The ids of the right paragraphs. */
  right: string[];
  /** Composite's best, with their reasons. */
  hits: EvaluationHit[];
  /** The rival's best. */
  rivalRanked: string[];
}

/** How often "found" and "not found" are right. */
export interface NotFound {
  /** The least relevance at which something is found. */
  from: number;
  answerable: number;
  found: number;
  unanswerable: number;
  notFound: number;
}

export interface Part {
  queries: number;
  ways: Partial<Record<EvaluationWay, WayFigures>>;
  versus: Comparisons | null;
}

export interface EvaluationReport extends Part {
  set: string;
  paragraphs: number;
  /** Composite without each of its legs. */
  ablation: Partial<Record<Leg, WayFigures>>;
  /** hit@1 that composite loses to fusion over all paragraphs; null where that was not asked. */
  completionLoss: number | null;
  /** The same without the questions that nearly repeat a recorded one; null where none was recorded. */
  withoutRepeats: (Part & { rule: string }) | null;
  notFound: NotFound;
  won: DecidedQuestion[];
  lost: DecidedQuestion[];
  timed: number;
  facets: 'recorded' | 'made';
  enrichment: ModelUsage;
  encoder: { id: string; dimension: number; hash: string };
  weights: Record<Leg, number>;
  seed: number;
  /** Of the program; null where it is not a checkout. */
  commit: string | null;
  /** Hex SHA-256 of the set's files. */
  data: Record<string, string>;
  notes: string[];
}
