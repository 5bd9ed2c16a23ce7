import { z } from 'zod';
import { Failure } from './failure.js';
import { TenantId } from './ids.js';
import { requestType } from './requests.js';

/** The services that keep something of documents, each its own; `tenants` keeps what is of a tenant alone. */
export const ErasingService = z.enum(['ingestion', 'enrichment', 'embedding', 'retrieval']);
export type ErasingService = z.infer<typeof ErasingService>;

/** What stays on purpose, and says nothing of what a document held. */
const Kept = z.object({
  count: z.number().int(),
  why: z.string(),
  /** By then it goes by itself; null: it stays. */
  until: z.iso.datetime().nullable(),
});

/** One kind of place where something of what was deleted may be. */
export const PlaceLeft = z.object({
  /** "paragraphs", "outbox" … */
  place: z.string(),
  /** Rows, points or files that are still to go. */
  left: z.number().int(),
  kept: Kept.nullable(),
});
export type PlaceLeft = z.infer<typeof PlaceLeft>;

/** Of one `countDocuments`. */
export const MOST_COUNTED = 500;

const PlacesLeft = z.object({ places: z.array(PlaceLeft) });

/**
 * What each of them answers. A tenant that is closed takes nothing more, in no service, and is erased some rows at a
 * time: `eraseTenant` is asked again until it says `ended`.
 */
export const deletionRequests = (service: ErasingService) => ({
  /** What is left of these documents of the caller's tenant. */
  countDocuments: requestType({
    subject: `${service}.count-documents`,
    input: z.object({ documents: z.array(z.string()).max(MOST_COUNTED) }),
    output: PlacesLeft,
    timeoutMs: 10_000,
  }),
  /** What is left of a tenant. For the operator, as are the next ones. */
  countTenant: requestType({
    subject: `${service}.count-tenant`,
    input: z.object({ tenant: TenantId }),
    output: PlacesLeft,
    timeoutMs: 30_000,
  }),
  /** When it is answered, the service takes nothing of the tenant any more. Safe to repeat. */
  closeTenant: requestType({
    subject: `${service}.close-tenant`,
    input: z.object({ tenant: TenantId }),
    output: z.object({ closed: z.boolean() }),
    timeoutMs: 10_000,
  }),
  eraseTenant: requestType({
    subject: `${service}.erase-tenant`,
    input: z.object({ tenant: TenantId }),
    output: z.object({ ended: z.boolean() }),
    timeoutMs: 60_000,
  }),
});

/** What one service says of a deletion: its places, or why it says nothing. */
export const ServiceLeft = z.object({ service: z.string(), places: z.array(PlaceLeft), failure: Failure.nullable() });
export type ServiceLeft = z.infer<typeof ServiceLeft>;

/** Nothing is left anywhere, and every service said so. */
export const isComplete = (services: readonly ServiceLeft[]): boolean =>
  services.every(({ places, failure }) => failure === null && places.every(({ left }) => left === 0));
