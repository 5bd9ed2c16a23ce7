import { z } from 'zod';
import { Facets } from './facets.js';
import { Failure } from './failure.js';
import { TenantId } from './ids.js';
import { DocumentFacts, ParagraphPlace, Scalar } from './point.js';

/** Interactive work goes before bulk. */
export const Lane = z.enum(['interactive', 'bulk']);
export type Lane = z.infer<typeof Lane>;

const DocumentVersion = { document: z.string(), version: z.number().int().positive() };

export const ParsedParagraph = ParagraphPlace.extend({
  id: z.string(),
  textHash: z.string(),
  text: z.string(), // empty where the document's facts say `reference`
  kind: z.enum(['text', 'table', 'list', 'code']),
  language: z.string().nullable(), // the paragraph's own where it was found
  parent: z.object({ start: z.number().int(), end: z.number().int() }).optional(), // what to read where it is found
  unchanged: z.boolean(), // the version before had it under the same id
});
export type ParsedParagraph = z.infer<typeof ParsedParagraph>;

const IndexStage = z.enum(['text', 'facets']);
export type IndexStage = z.infer<typeof IndexStage>;

/** What a language model was asked, as it counts for a tenant's ledger. */
export const ModelCalls = z.object({
  /** What for: `facets`, `metadata`, `summaries`, `entities` of enrichment; `answers`, `plans`, `reranking`, `grades`, `set-summaries` of retrieval. */
  task: z.string().min(1).max(40),
  /** "openai:gpt-4o-mini" */
  model: z.string().min(1).max(300),
  calls: z.number().int().nonnegative(),
  inputTokens: z.number().int().nonnegative(), // those read from the provider's cache included
  outputTokens: z.number().int().nonnegative(),
  cachedTokens: z.number().int().nonnegative(),
});
export type ModelCalls = z.infer<typeof ModelCalls>;

/** Work between services, by type. Every one names the document and its version; handlers drop what is older. */
export const WORK = {
  'paragraphs.parsed': z.object({
    ...DocumentVersion,
    facts: DocumentFacts,
    lane: Lane,
    active: z.boolean(), // false while an older version answers
    before: z.string(), // text of the neighbours of the batch's edges, '' at the document's
    after: z.string(),
    paragraphs: z.array(ParsedParagraph).min(1),
  }),
  'paragraphs.enriched': z.object({
    ...DocumentVersion,
    lane: Lane,
    paragraphs: z.array(z.object({ id: z.string(), revision: z.number().int(), facets: Facets })).min(1),
  }),
  'paragraphs.indexed': z.object({ ...DocumentVersion, stage: IndexStage, paragraphs: z.array(z.string()).min(1) }),
  'paragraphs.failed': z.object({
    ...DocumentVersion,
    stage: IndexStage, // what the paragraph stays without
    failures: z.array(z.object({ paragraph: z.string(), failure: Failure })).min(1),
  }),
  /** A version became searchable: its points answer, the document's other paragraphs go. */
  'version.activated': z.object({ ...DocumentVersion }),
  /** A tombstone: versions up to this one are erased everywhere. */
  'document.deleted': z.object({ ...DocumentVersion }),
  'document.forgotten': z.object({ ...DocumentVersion, service: z.string() }),
  /** What a document's metadata came to, of it what filters use; a later revision replaces an earlier one. */
  'metadata.extracted': z.object({
    ...DocumentVersion,
    lane: Lane,
    revision: z.number().int().positive(),
    values: z.record(z.string(), Scalar),
    date: z.iso.date().nullable(), // that the document bears
  }),
  /** A document was summed up; a later revision replaces an earlier one. It is found by this and its title, as a point of its own. */
  'summary.made': z.object({
    ...DocumentVersion,
    lane: Lane,
    revision: z.number().int().positive(),
    paragraph: z.string(), // '' where the text has nothing to say
  }),
  /** Something that a follower of the document sees has changed. */
  'document.progressed': z.object({ ...DocumentVersion }),
  /** A reply of a language model was paid for and kept; of the document '' where it was for none. */
  'model.called': ModelCalls.extend({ document: z.string(), version: z.number().int().nonnegative() }),
  /** Facets are wanted anew, from the model that is configured now. */
  'facets.wanted': z.object({ ...DocumentVersion, lane: Lane }),
} as const;
export type WorkType = keyof typeof WORK;
export type WorkData<T extends WorkType> = z.infer<(typeof WORK)[T]>;

export const PUBLIC_VERBS = [
  'accepted',
  'searchable',
  'ready',
  'improved',
  'failed',
  'gone',
  'deleted',
  'erased',
] as const;
/** What partners may subscribe to; never document text. `gone`: the file that it stands in is, and it is kept. `sequence` counts a document's public events. */
export const PublicEvent = z.object({
  ...DocumentVersion,
  sequence: z.number().int(),
  status: z.string(),
  title: z.string(),
  sourceType: z.string(),
  sourceId: z.string(),
  collection: z.string().nullable(),
  failure: Failure.nullable(),
});
export type PublicEvent = z.infer<typeof PublicEvent>;
export type PublicType = `public.document.${(typeof PUBLIC_VERBS)[number]}`;

/** A tenant is being erased, with all that it had; the last event of it. */
export const TENANT_DELETED_EVENT = 'public.tenant.deleted';
const PublicTenantEvent = z.object({ tenant: TenantId });

export type EventType = WorkType | PublicType | typeof TENANT_DELETED_EVENT;
export type EventData<T extends EventType> = T extends WorkType
  ? WorkData<T>
  : T extends PublicType
    ? PublicEvent
    : z.infer<typeof PublicTenantEvent>;

/** A CloudEvents 1.0 envelope, structured JSON. */
export const CloudEvent = z.object({
  specversion: z.literal('1.0'),
  id: z.string(),
  source: z.string(), // "postmaster/<service>"
  type: z.string(),
  subject: z.string(), // the bus subject
  time: z.string(),
  datacontenttype: z.literal('application/json'),
  dataschema: z.string(), // "postmaster:<type>:<schema version>"
  tenant: TenantId, // extension: checked equal to the subject's
  data: z.unknown(),
});
export type CloudEvent = z.infer<typeof CloudEvent>;

interface EventOf<T extends EventType> {
  id: string;
  type: T;
  tenant: TenantId;
  time: string;
  data: EventData<T>;
  /** W3C trace context of what caused it, where that was traced. */
  traceparent?: string;
}
/** A union over the types, so that `type` tells the data. */
export type DomainEvent<T extends EventType = EventType> = T extends EventType ? EventOf<T> : never;

export const SCHEMA_VERSION = 1;

/** `postmaster.work.<tenant>.<noun>.<verb>` between services, `postmaster.events.<tenant>.<noun>.<verb>` for partners. */
export const subjectOf = (type: EventType, tenant: TenantId): string =>
  type.startsWith('public.')
    ? `postmaster.events.${tenant}.${type.slice('public.'.length)}`
    : `postmaster.work.${tenant}.${type}`;

export const schemaOf = (type: string): z.ZodType | undefined =>
  type in WORK
    ? WORK[type as WorkType]
    : isPublicType(type)
      ? PublicEvent
      : type === TENANT_DELETED_EVENT
        ? PublicTenantEvent
        : undefined;

const isPublicType = (type: string): type is PublicType =>
  PUBLIC_VERBS.some((verb) => type === `public.document.${verb}`);
