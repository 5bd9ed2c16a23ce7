export { AnswerEvent, AnswerRequest, Citation } from './answer.js';
export { type Changes, type Consumer, MAX_DELIVERIES, type Observers } from './bus.js';
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
export { CODES, type ErrorCode } from './error-codes.js';
export { CodedError, type ErrorFacts, failure, failureOf } from './errors.js';
export {
  CloudEvent,
  type DomainEvent,
  type EventData,
  type EventType,
  type IndexStage,
  Lane,
  ParsedParagraph,
  PUBLIC_VERBS,
  PublicEvent,
  type PublicType,
  SCHEMA_VERSION,
  schemaOf,
  subjectOf,
  WORK,
  type WorkData,
  type WorkType,
} from './events.js';
export { FacetQuestion, Facets } from './facets.js';
export { exportFeedback, FeedbackForm, FeedbackLine, Judgement } from './feedback.js';
export { Failure } from './failure.js';
export { Identity, type IdentitySeal, identitySeal, requireScope, Scope, SCOPES } from './identity.js';
export { hashOf, type NewId, newId, paragraphId, TenantId } from './ids.js';
export {
  Leg,
  LEGS,
  MULTI_VECTORS,
  type MultiVector,
  NAMED_VECTORS,
  type NamedVector,
  type SingleVector,
} from './legs.js';
export { done, hopeless, later, type Outcome, paused, retry, skipped } from './outcome.js';
export { DocumentFacts, type IndexSpec, ParagraphPlace, type PointPayload, Scalar, SearchFilter } from './point.js';
export {
  answerStream,
  encodeQuestion,
  enrichmentPause,
  GATEWAY_SUBJECT,
  livingParagraphs,
  TenantProfile,
  tenantProfile,
  verifyKey,
} from './request-types.js';
export { EventEnvelope, MAX_EVENT_BYTES, readEvent, type ReadEvent, TRACE_EXTENSION } from './read-event.js';
export { Rerank, RerankMatch, RERANKS, Verdict } from './rerank.js';
export { type Requests, requestType, type RequestType } from './requests.js';
export {
  CachedPart,
  Fusion,
  FUSIONS,
  HitParagraph,
  LegMatch,
  Notice,
  QueryPlan,
  SearchHit,
  SearchOptions,
  SearchSettings,
} from './search.js';
