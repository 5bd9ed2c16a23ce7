export { bm25 } from './bm25.js';
export { hitAt1, type Judgements, meanScores, ndcgAt, recallAt, reciprocalRankAt, type Scores } from './metrics.js';
export { type EvaluationSet, readSet, type RecordedFacets, SetFileError } from './read-set.js';
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
