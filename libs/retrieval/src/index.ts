export { type AnswerPorts, answerStream, EXTRACTIVE, foldAnswer, type WholeAnswer } from './answer.js';
export { type AnswerModel, NOT_FOUND, type Source } from './answer-model.js';
export { bestSentence } from './best-sentence.js';
export type {
  Candidate,
  CandidateStore,
  ParagraphChoice,
  Probe,
  Scored,
  Span,
  StoredParagraph,
} from './candidate-store.js';
export {
  DEFAULT_WEIGHTS,
  type FuseOptions,
  type Fused,
  type FusedLeg,
  fuseScores,
  type Scorable,
} from './fuse-scores.js';
export { lexicalText } from './plan/encode-reading.js';
export { type PlanPorts, planQuery } from './plan/plan-query.js';
export type { PlanForm, PlanModel, PlanPrompt, Usage } from './plan/plan-model.js';
export { readByRules } from './plan/read-by-rules.js';
export type { JudgedParagraph, GradeModel, Graded } from './grade-model.js';
export type { OnPaid, PaidCalls } from './ledger/model-ledger.js';
export type { SummaryModel } from './summary-model.js';
export { weighedWords } from './question-words.js';
export { relevanceFeatures, type RelevanceFeatures, relevanceOf } from './relevance.js';
export { FOUND } from './relevance-calibration.js';
export { RERANKED, type RerankPorts, type TimedReranker } from './rerank-hits.js';
export type { RerankPassage, RerankQuestion, Reranker, RerankScore } from './reranker.js';
export { search, type SearchPorts, type SearchRequest, type SearchResult, type SearchTiming } from './search.js';
export { RETRIEVAL_SCHEMA, retrievalMigrations } from './rows/migrations.js';
export type { RetrievalTables } from './rows/tables.js';
export {
  type RetrievalPorts,
  type RetrievalService,
  retrievalService,
  type RetrievalUseCases,
} from './retrieval-service.js';
export { defaultWeights } from './default-weights.js';
export { gatherCandidates } from './gather-candidates.js';
export { fuseWithSummaries, SUMMARY_WEIGHT } from './summary-hits.js';
