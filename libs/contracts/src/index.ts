export { askParagraphTexts, type AskedTexts, readTexts, type ReadTexts, unreadOutcome } from './ask-paragraph-texts.js';
export { AnswerEvent, AnswerRequest, Citation } from './answer.js';
export { type Changes, type Consumer, MAX_DELIVERIES, type Observers } from './bus.js';
export { Chunking, CHUNKINGS } from './chunking.js';
export { contractName, graphName, type GraphName } from './graph-names.js';
export { hasLink, withoutLinks } from './hostile-text/without-links.js';
export { withoutInvisible } from './hostile-text/without-invisible.js';
export { instructionsIn, type Span, withoutInstructions } from './hostile-text/instructions.js';
export { saidByInstructions } from './hostile-text/said-by-instructions.js';
export { messageIdIn } from './message-id.js';
export { MONTHS } from './month-names.js';
export { deletionRequests, ErasingService, isComplete, MOST_COUNTED, PlaceLeft, ServiceLeft } from './deletions.js';
export {
  DeadLetterChoice,
  DeadLetterDetails,
  DeadLetterFacts,
  DeadLetterFilter,
  DeadLetterPlace,
  deadLetterRequests,
  DeadLetterService,
  isOperator,
  MAX_DEAD_LETTER_IDS,
  requireRepair,
  RetriedDeadLetters,
} from './dead-letters.js';
export { DOCUMENT_ENDINGS, type DocumentEnding } from './document-endings.js';
export {
  CATEGORIES,
  DOCUMENT_TYPES,
  type DocumentMetadata,
  DocumentMetadataOf,
  type DocumentType,
  ExtractedField,
  type FieldName,
  FIELDS,
  FIELDS_OF,
  HEADER_FIELDS,
  KINDS_OF_FIELDS,
  type Money,
  PAYMENT_METHODS,
  type Period,
  readMetadata,
  type TextSpan,
} from './document-metadata.js';
export { entityParagraphs, holdEntities, MOST_ENTITY_PARAGRAPHS } from './entity-requests.js';
export { CODES, type ErrorCode } from './error-codes.js';
export { CodedError, type ErrorFacts, failure, failureOf } from './errors.js';
export {
  CloudEvent,
  type DomainEvent,
  type EventData,
  type EventType,
  type IndexStage,
  Lane,
  ModelCalls,
  ParsedParagraph,
  PUBLIC_VERBS,
  PublicEvent,
  type PublicType,
  SCHEMA_VERSION,
  schemaOf,
  subjectOf,
  TENANT_DELETED_EVENT,
  WORK,
  type WorkData,
  type WorkType,
} from './events.js';
export {
  AskEvaluation,
  BeginEvaluation,
  EVALUATION_COLLECTIONS,
  EVALUATION_LIMITS,
  EVALUATION_WAYS,
  EvaluatedQuestion,
  EvaluationCollection,
  EvaluationFacets,
  EvaluationFacts,
  EvaluationHit,
  EvaluationId,
  EvaluationParagraph,
  EvaluationParagraphs,
  EvaluationWay,
  ModelUsage,
} from './evaluation.js';
export {
  addEvaluationParagraphs,
  askEvaluation,
  beginEvaluation,
  dropEvaluation,
  fillEvaluation,
  findEvaluation,
  makeFacets,
  openEvaluation,
} from './evaluation-requests.js';
export { FacetQuestion, Facets } from './facets.js';
export { exportFeedback, FeedbackForm, FeedbackLine, FeedbackVerdict } from './feedback.js';
export { Failure } from './failure.js';
export { Identity, type IdentitySeal, identitySeal, requireScope, Scope, SCOPES } from './identity.js';
export {
  ANSWERS_KEPT_MS,
  beginWrite,
  CLAIM_LASTS_MS,
  endWrite,
  holdWrite,
  IdempotencyKey,
  KeptAnswer,
  MAX_KEPT_ANSWER,
} from './idempotency.js';
export { hashOf, isId, type NewId, newId, paragraphId, TenantId } from './ids.js';
export { Judgement } from './judgement.js';
export { setWithin } from './set-within.js';
export { Summary, SummaryPoint } from './summary.js';
export { kindOf, PointKind, readSummaryId, SUMMARY_POSITION, summaryId } from './summary-point.js';
export {
  Leg,
  LEGS,
  SCORED_LEGS,
  ScoredLeg,
  MULTI_VECTORS,
  type MultiVector,
  FACET_VECTORS,
  type FacetVector,
  NAMED_VECTORS,
  type NamedVector,
  type SingleVector,
} from './legs.js';
export {
  compareModels,
  ENTITIES_BY,
  EntitiesBy,
  LanguageModelChoice,
  ModelChoice,
  ModelProfile,
  type OwnModels,
  ownModels,
  type StatedModels,
  VectorDbChoice,
} from './model-profile.js';
export { done, hopeless, later, type Outcome, paused, retry, skipped } from './outcome.js';
export { graphPlan, type GraphReading, readingOf } from './plan-in-graph.js';
export { DocumentFacts, type IndexSpec, ParagraphPlace, type PointPayload, Scalar, SearchFilter } from './point.js';
export {
  answerStream,
  documentTexts,
  encodePassages,
  encodeQuestion,
  enrichmentModel,
  enrichmentPause,
  GATEWAY_SUBJECT,
  KnownValues,
  knownMetadata,
  knownValues,
  livingParagraphs,
  MOST_DOCUMENT_TEXTS,
  MOST_PASSAGES,
  ParagraphText,
  paragraphTexts,
  parentTexts,
  servingIndex,
  TenantProfile,
  tenantProfile,
  verifyKey,
} from './request-types.js';
export {
  type GivenReading,
  MAX_QUESTIONS,
  PLAN_FIELDS,
  PlanCondition,
  PlanCost,
  PlanDate,
  PlanEntity,
  Planning,
  PLANNINGS,
  PlanVariation,
  QUESTION_KINDS,
  QuestionKind,
  Reading,
} from './reading.js';
export { EventEnvelope, MAX_EVENT_BYTES, readEvent, type ReadEvent, TRACE_EXTENSION } from './read-event.js';
export { Rerank, RerankMatch, RERANKS, Verdict } from './rerank.js';
export { moneyOf, NO_PRICES, type Price, priceOf, type Prices } from './prices.js';
export { type Spending, spending } from './spending.js';
export { requireBudget, type TenantBudgets, tenantBudgets } from './tenant-budgets.js';
export { type Requests, requestType, type RequestType } from './requests.js';
export {
  CachedPart,
  Duplicate,
  Fusion,
  FUSIONS,
  GroupBy,
  Highlight,
  HitGroup,
  HitParagraph,
  LegMatch,
  Notice,
  QueryPlan,
  SearchHit,
  SearchOptions,
  SearchSettings,
} from './search.js';
