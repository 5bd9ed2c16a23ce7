export { answerDeletions, heldInRows, type Holdings } from './answer-deletions.js';
export { answerDeadLetters } from './answer-dead-letters.js';
export { type Bell, createBell, jobsBell, outboxBell, processBell } from './bell.js';
export { afterCommit, type Database, databaseOf, outsideTransactions, takesOneTrip } from './database.js';
export {
  buryEvent,
  buryMessage,
  countFailure,
  forgetDeadLetters,
  type DeadLetter,
  listDeadLetters,
  type ReceivedMessage,
  SYSTEM_TENANT,
} from './dead-letters.js';
export { addClosedTenants, closeTenant } from './closed-tenants.js';
export { deliveryLeft, eraseTenantRows, tenantLeft } from './count-left.js';
export { addErasureColumns, addErasureTables } from './erasure-tables.js';
export { dropEvents, erasableEvents, forgetEvents } from './forget-events.js';
export { once, onceByOne } from './inbox.js';
export { claim, type Claim, enqueue, type Job, type NewJob, releaseLapsed, renewLeases } from './jobs.js';
export { dueEvents, markPublished, type OutboxRow, postpone, publish, publishWith } from './outbox.js';
export { APP_ROLE, protectTable, SYSTEM_ROLE } from './protect-table.js';
export { revive } from './revive.js';
export { type RowFigures, rowFigures } from './row-figures.js';
export {
  type KnownStream,
  type OutboxShare,
  type OutgoingEvent,
  outgoingEvents,
  publishAgain,
  releaseRelay,
  rememberStream,
  settleOutgoing,
  takeRelay,
} from './relays.js';
export { traceparentNow } from './trace-context.js';
export { settle } from './settle.js';
export { addSpreadTables } from './spread-tables.js';
export { createDurableTables } from './tables.js';
export { sweepDelivered } from './retention.js';
export { injectTrace, inTraceOf, type TraceCarrier, traced, tracedConsumer, withTraceOf } from './traced.js';
export {
  type Finished,
  type OnSettled,
  runWorker,
  type SettledFacts,
  type Worker,
  type WorkerOptions,
} from './worker.js';
export type { TripHints } from './trip-hints.js';
export { isUnreachable } from './unreachable.js';
export { every, type ServiceParts } from './service-parts.js';
