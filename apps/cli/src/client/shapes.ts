import { z } from 'zod';

/** What the command line reads of the server's answers; more than this may come. */
export const Failure = z.object({ code: z.string(), message: z.string(), next: z.string() });
export type Failure = z.infer<typeof Failure>;

export const STATUSES = ['ACCEPTED', 'PARSED', 'SEARCHABLE', 'READY', 'FAILED', 'DELETED'] as const;
export const Status = z.enum(STATUSES);
export type Status = z.infer<typeof Status>;

export const Document = z.object({
  id: z.string(),
  version: z.number(),
  title: z.string(),
  sourceType: z.string(),
  sourceId: z.string(),
  sourceUri: z.string().nullable(),
  collection: z.string().nullable(),
  contentType: z.string(),
  language: z.string().nullable(),
  createdAt: z.string().nullable(),
  addedAt: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  status: Status,
  failure: Failure.nullable(),
  degraded: z.array(Failure),
  progress: z.object({
    total: z.number(),
    indexed: z.number(),
    enriched: z.number(),
    failed: z.number(),
    ready: z.number(),
    paused: Failure.nullable(),
    secondsLeft: z.number().nullable(),
  }),
});
export type Document = z.infer<typeof Document>;

export const DocumentPage = z.object({
  nodes: z.array(Document),
  totalCount: z.number(),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
});
export type DocumentPage = z.infer<typeof DocumentPage>;

const Question = z.object({ text: z.string(), kind: z.string().nullable(), quality: z.number().nullable() });

export const Facets = z.object({
  simpleQuestions: z.array(Question),
  complexQuestions: z.array(Question),
  context: z.string(),
  scope: z.string(),
  model: z.string(),
  promptVersion: z.string(),
  quality: z.number().nullable(),
});

const Place = z.object({
  id: z.string(),
  text: z.string().nullable(),
  position: z.number().nullable(),
  page: z.number().nullable(),
  start: z.number().nullable(),
  end: z.number().nullable(),
  trail: z.array(z.string()).nullable(),
});

export const FacetedParagraph = Place.extend({ facets: Facets.nullable() });
export type FacetedParagraph = z.infer<typeof FacetedParagraph>;

export const Paragraph = Place.extend({
  document: z.object({ id: z.string(), title: z.string(), sourceUri: z.string().nullable() }).nullable(),
});
export type Paragraph = z.infer<typeof Paragraph>;

export const LegMatch = z.object({
  leg: z.string(),
  score: z.number(),
  scaled: z.number(),
  rank: z.number().nullable(),
  weight: z.number(),
  share: z.number(),
  text: z.string().nullable(),
});
export type LegMatch = z.infer<typeof LegMatch>;

export const RerankMatch = z.object({
  reranker: z.string(),
  score: z.number(),
  scaled: z.number(),
  rank: z.number(),
  fusedRank: z.number(),
  verdict: z.object({ reason: z.string(), relevant: z.boolean(), grade: z.number() }).nullable(),
});
export type RerankMatch = z.infer<typeof RerankMatch>;

export const Hit = z.object({
  kind: z.string(), // PARAGRAPH or SUMMARY
  score: z.number(),
  relevance: z.number(),
  why: z.array(LegMatch),
  rerank: RerankMatch.nullish(), // servers before 0.2 have none
  duplicates: z.array(z.object({ id: z.string(), document: z.string(), title: z.string() })),
  highlights: z.array(z.object({ start: z.number(), end: z.number() })),
  paragraph: Paragraph,
});
export type Hit = z.infer<typeof Hit>;

export const PlanCondition = z.object({
  field: z.string(),
  key: z.string().nullish(),
  equals: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  oneOf: z.array(z.string()).nullish(),
  allOf: z.array(z.string()).nullish(),
  from: z.string().nullish(),
  to: z.string().nullish(),
  certainty: z.number(),
  words: z.string(),
});
export type PlanCondition = z.infer<typeof PlanCondition>;

export const Plan = z.looseObject({
  query: z.string(),
  language: z.string().nullable(),
  planning: z.string(),
  reading: z.looseObject({
    kind: z.string(),
    searchText: z.string(),
    keywords: z.array(z.string()),
    entities: z.array(z.object({ text: z.string(), role: z.string() })),
    dates: z.array(z.object({ words: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
    conditions: z.array(PlanCondition),
    favour: z.record(z.string(), z.number().nullable()),
    variations: z.array(z.object({ kind: z.string(), text: z.string() })),
  }),
  cost: z.object({
    modelCalls: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    texts: z.number(),
    tookMs: z.number(),
  }),
});
export type Plan = z.infer<typeof Plan>;

export const Citation = z.object({
  marker: z.number(),
  quote: z.string().nullable(),
  quoteStart: z.number().nullable(),
  quoteEnd: z.number().nullable(),
  paragraph: Paragraph,
});
export type Citation = z.infer<typeof Citation>;

export const Job = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(['RUNNING', 'DONE']),
  total: z.number(),
  done: z.number(),
  failed: z.number(),
  failures: z.array(z.object({ document: z.string(), failure: Failure })),
});
export type Job = z.infer<typeof Job>;

export const FacetModel = z.object({
  id: z.string(),
  remote: z.boolean(),
  promptVersion: z.string(),
  concurrency: z.number(),
  readsEntities: z.boolean(),
});
export type FacetModel = z.infer<typeof FacetModel>;
