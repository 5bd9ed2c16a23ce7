import { z } from 'zod';
import { AnswerEvent, AnswerRequest } from './answer.js';
import { Chunking } from './chunking.js';
import { Scope } from './identity.js';
import { Failure } from './failure.js';
import { TenantId } from './ids.js';
import { Scalar } from './point.js';
import { requestType } from './requests.js';
import { SearchSettings } from './search.js';

/** The gateway's own questions, asked before any tenant is known, carry an identity of this subject. */
export const GATEWAY_SUBJECT = 'gateway';

/** Whose key is it? Asked with the key's SHA-256, never the key. */
export const verifyKey = requestType({
  subject: 'tenants.verify-key',
  input: z.object({ keyHash: z.string().length(64) }),
  output: z.object({ key: z.object({ id: z.string(), tenant: TenantId, scopes: z.array(Scope) }).nullable() }),
  timeoutMs: 5_000,
});

export const TenantProfile = z.object({
  tenant: TenantId,
  name: z.string(),
  paragraphWords: z.number().int().min(20).max(1000),
  longParagraphs: z.enum(['split', 'refuse']),
  chunking: Chunking.default('paragraphs'), // a tenants service of the version before says nothing of it
  search: SearchSettings.default({}),
});
export type TenantProfile = z.infer<typeof TenantProfile>;

export const tenantProfile = requestType({
  subject: 'tenants.profile',
  input: z.object({}),
  output: TenantProfile,
  timeoutMs: 2_000,
});

const Vector = z.custom<Float32Array>((value) => value instanceof Float32Array);

/** One unit-length vector for a question, with the index that its encoder fills. */
export const encodeQuestion = requestType({
  subject: 'embedding.encode-question',
  input: z.object({
    text: z.string().min(1),
    /** Encoded beside it: a plan's variations. */
    also: z.array(z.string().min(1)).max(8).optional(),
  }),
  output: z.object({
    index: z.string(),
    encoder: z.string(),
    vector: Vector,
    also: z.array(Vector).optional(), // absent from a service of an older version
  }),
  timeoutMs: 10_000,
});

/** Of one `encodePassages` call: what the bundled encoder does within a second. */
export const MOST_PASSAGES = 64;

/** One unit-length vector per text, in order, behind all questions. Throws ENCODER_UNREACHABLE, ENCODER_REFUSED. */
export const encodePassages = requestType({
  subject: 'embedding.encode-passages',
  input: z.object({ texts: z.array(z.string().min(1).max(20_000)).min(1).max(MOST_PASSAGES) }),
  output: z.object({ encoder: z.string(), vectors: z.array(Vector) }),
  timeoutMs: 60_000,
});

/** The index that a tenant's questions are asked of, and the encoder whose vectors it holds. */
export const servingIndex = requestType({
  subject: 'embedding.serving-index',
  input: z.object({}),
  output: z.object({
    index: z.string(),
    encoder: z.string(),
    dimension: z.number().int(),
    store: z.enum(['lancedb', 'qdrant']),
  }),
  timeoutMs: 2_000,
});

/** Why facets wait to be made, where they do. */
export const enrichmentPause = requestType({
  subject: 'enrichment.pause',
  input: z.object({}),
  output: z.object({ paused: Failure.nullable() }),
  timeoutMs: 500,
});

/** Which of these paragraphs and summaries are still there and belong to an active version. */
export const livingParagraphs = requestType({
  subject: 'ingestion.living-paragraphs',
  input: z.object({ ids: z.array(z.string()).max(200) }),
  output: z.object({ living: z.array(z.string()) }),
  timeoutMs: 1_000,
});

const Period = z.object({ from: z.string(), to: z.string() }).nullable(); // ISO 8601, both inclusive

/** What a tenant's documents have: what a query plan may filter by. */
export const KnownValues = z.object({
  collections: z.array(z.string()),
  sourceTypes: z.array(z.string()),
  contentTypes: z.array(z.string()),
  languages: z.array(z.string()),
  /** By key, the scalars that the newest documents have; not all of them where there are many. */
  metadata: z.record(z.string(), z.array(Scalar)),
  created: Period,
  added: Period,
});
export type KnownValues = z.infer<typeof KnownValues>;

export const knownValues = requestType({
  subject: 'ingestion.known-values',
  input: z.object({}),
  output: KnownValues,
  timeoutMs: 2_000,
});

export const MOST_DOCUMENT_TEXTS = 8;

/** Pieces of documents as they were parsed, their beginnings unless told otherwise; one of whose text nothing is stored, or that is gone, is left out. */
export const documentTexts = requestType({
  subject: 'ingestion.document-texts',
  input: z.object({
    documents: z.array(z.string()).max(MOST_DOCUMENT_TEXTS),
    from: z.number().int().min(0).default(0), // code points that are passed over
    most: z.number().int().min(1).max(20_000), // code points of each
  }),
  output: z.object({
    documents: z.array(
      z.object({
        id: z.string(),
        version: z.number().int(), // the newest
        title: z.string(),
        contentType: z.string(),
        language: z.string().nullable(),
        createdAt: z.string().nullable(), // the original's own date
        found: z.record(z.string(), z.unknown()), // by the parser, beside the text
        text: z.string(),
        length: z.number().int().optional(), // of the whole text in code points; a version before does not say
      }),
    ),
  }),
  timeoutMs: 5_000,
});

/** What the metadata that were extracted from a tenant's documents have, for query plans to filter by. */
export const knownMetadata = requestType({
  subject: 'enrichment.known-metadata',
  input: z.object({}),
  output: z.object({ metadata: z.record(z.string(), z.array(Scalar)), dated: Period }),
  timeoutMs: 2_000,
});

/** What to read where these paragraphs were found, of those that were cut as parts of a larger one. */
export const parentTexts = requestType({
  subject: 'ingestion.parent-texts',
  input: z.object({ ids: z.array(z.string()).max(200) }),
  output: z.object({
    parents: z.array(z.object({ id: z.string(), start: z.number().int(), end: z.number().int(), text: z.string() })),
  }),
  timeoutMs: 2_000,
});

/** What a paragraph says, of one whose text is not in its event nor its point. */
export const ParagraphText = z.object({
  id: z.string(),
  text: z.string(),
  trail: z.array(z.string()), // headings above it, outermost first
  before: z.string(), // up to 400 code points of the document's text on either side
  after: z.string(),
});
export type ParagraphText = z.infer<typeof ParagraphText>;

/**
 * The texts of paragraphs that are stored by reference, read from their files now: SOURCE_GONE, SOURCE_CHANGED, or
 * TIMED_OUT for what was not read `withinMs`. Nothing is said of a paragraph that is not there.
 */
export const paragraphTexts = requestType({
  subject: 'ingestion.paragraph-texts',
  input: z.object({ ids: z.array(z.string()).max(200), withinMs: z.number().int().min(100).max(25_000) }),
  output: z.object({
    texts: z.array(ParagraphText),
    failures: z.array(z.object({ id: z.string(), failure: Failure })),
  }),
  timeoutMs: 30_000,
});

/** Search and answer as one stream; expected failures come as its `refused` event. Folded, it is `ask`. */
export const answerStream = requestType({
  subject: 'retrieval.answer-stream',
  input: AnswerRequest,
  output: AnswerEvent,
  timeoutMs: 120_000,
});

/** The language model that makes a tenant's facets; "extractive" where there is none. */
export const enrichmentModel = requestType({
  subject: 'enrichment.model',
  input: z.object({}),
  output: z.object({ model: z.string() }),
  timeoutMs: 5_000,
});
