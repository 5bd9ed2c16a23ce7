export { answerPlaces, judgeByPlace, type Place, type PlacedChunk } from './answer-places.js';
export { bm25 } from './bm25.js';
export { bootstrapMean, type Interval, quantile, RESAMPLES } from './bootstrap.js';
export type {
  Comparison,
  Comparisons,
  DecidedQuestion,
  EvaluationReport,
  NotFound,
  Part,
  WayFigures,
} from './evaluation-report.js';
export { makeReport, type ReportFacts } from './make-report.js';
export { type EvaluationServer, type Measured, type MeasureOptions, measureSet } from './measure-set.js';
export {
  hitAt1,
  type Judgements,
  meanScores,
  type Metric,
  METRIC_NAMES,
  ndcgAt,
  recallAt,
  reciprocalRankAt,
  type Scores,
  scoresOf,
} from './metrics.js';
export { type EvaluationSet, readSet, type RecordedFacets, SetFileError } from './read-set.js';
export { reportPage } from './report-page.js';
export { trecRuns } from './trec-runs.js';
export { type LegWeights, rankByWeights } from './tune/rank-by-weights.js';
export type { TunedFold, TuneReport } from './tune/tune-report.js';
export { checkLargeEnough, SetTooSmallError, tuneWeights } from './tune/tune-weights.js';
export {
  type AskedQuestion,
  byComposite,
  byParagraph,
  byRankFusion,
  byWeightedScores,
  byWords,
  type Fuse,
  type SearchedParagraph,
  type Way,
} from './ways.js';
