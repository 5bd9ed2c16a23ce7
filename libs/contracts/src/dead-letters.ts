import { z } from 'zod';
import { Failure } from './failure.js';
import { type Identity, requireScope } from './identity.js';
import { TenantId } from './ids.js';
import { requestType } from './requests.js';

/** The services that keep dead letters, each its own. */
export const DeadLetterService = z.enum(['ingestion', 'enrichment', 'embedding', 'retrieval']);
export type DeadLetterService = z.infer<typeof DeadLetterService>;

export const DeadLetterFacts = z.object({
  id: z.guid(),
  service: DeadLetterService,
  /** null: a message that names no tenant. */
  tenant: TenantId.nullable(),
  source: z.enum(['job', 'event']),
  /** The job's kind, or the consumer that could not handle the event. */
  name: z.string(),
  document: z.string().nullable(),
  why: Failure,
  /** Tries that were spent on it; null where they were not counted. */
  attempts: z.number().int().nullable(),
  /** ISO 8601 in UTC, with microseconds: it orders. */
  buriedAt: z.iso.datetime(),
});
export type DeadLetterFacts = z.infer<typeof DeadLetterFacts>;

export const DeadLetterDetails = DeadLetterFacts.extend({
  /** The event, or the message as it came, or what the job is about; its beginning as text where it is cut. */
  payload: z.unknown(),
  cut: z.boolean(),
});
export type DeadLetterDetails = z.infer<typeof DeadLetterDetails>;

/** All that is given must fit. Within what the caller may see: naming another's tenant finds nothing. */
export const DeadLetterFilter = z.strictObject({
  source: z.enum(['job', 'event']).optional(),
  name: z.string().min(1).optional(),
  document: z.string().min(1).optional(),
  tenant: TenantId.optional(),
});
export type DeadLetterFilter = z.infer<typeof DeadLetterFilter>;

/** A place in the order of a list, newest first; services share the order, so that their lists can be merged. */
export const DeadLetterPlace = z.object({ at: z.iso.datetime(), id: z.guid() });
export type DeadLetterPlace = z.infer<typeof DeadLetterPlace>;

/** More ids than this go in several requests. */
export const MAX_DEAD_LETTER_IDS = 200;

export const DeadLetterChoice = z.union([
  z.strictObject({ ids: z.array(z.guid()).min(1).max(MAX_DEAD_LETTER_IDS) }),
  z.strictObject({ filter: DeadLetterFilter }),
]);
export type DeadLetterChoice = z.infer<typeof DeadLetterChoice>;

export const RetriedDeadLetters = z.object({
  /** Given out again, and listed no more. */
  retried: z.number().int(),
  /** Those that stay. */
  failed: z.number().int(),
  /** The first of those, each with its reason. */
  failures: z.array(z.object({ id: z.guid(), why: Failure })),
  /** The time was up before all that the filter means were gone through. */
  more: z.boolean(),
});
export type RetriedDeadLetters = z.infer<typeof RetriedDeadLetters>;

/** What each service that keeps dead letters answers. `list` and `retry` leave out, the others don't find, what is not the caller's. */
export const deadLetterRequests = (service: DeadLetterService) => ({
  list: requestType({
    subject: `${service}.list-dead-letters`,
    input: z.object({
      filter: DeadLetterFilter,
      first: z.number().int().min(1).max(100),
      after: DeadLetterPlace.optional(),
    }),
    output: z.object({ letters: z.array(DeadLetterFacts), more: z.boolean() }),
    timeoutMs: 5_000,
  }),
  show: requestType({
    subject: `${service}.show-dead-letter`,
    input: z.object({ id: z.guid() }),
    output: z.object({ letter: DeadLetterDetails.nullable() }),
    timeoutMs: 5_000,
  }),
  retry: requestType({
    subject: `${service}.retry-dead-letters`,
    input: DeadLetterChoice,
    output: RetriedDeadLetters,
    timeoutMs: 30_000,
  }),
  drop: requestType({
    subject: `${service}.drop-dead-letter`,
    input: z.object({ id: z.guid() }),
    output: z.object({ dropped: z.boolean() }),
    timeoutMs: 5_000,
  }),
});

/** A tenant's admins see its own dead letters, the operator those of all tenants and of none. Throws FORBIDDEN. */
export const requireRepair = (identity: Identity): void => {
  if (!isOperator(identity)) requireScope(identity, 'admin');
};

export const isOperator = ({ scopes }: Identity): boolean => scopes.includes('operator');
