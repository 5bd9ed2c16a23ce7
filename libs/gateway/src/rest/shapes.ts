import { Chunking, Scalar } from '@postmaster/contracts';
import { z } from 'zod';

/** Requests and answers of the REST facade. Requests are parsed by these; the OpenAPI page is made from all of them. */
const one = z.string().min(1);
/** Given once or several times. */
const several = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(one)).optional();
const count = (fallback: number) => z.coerce.number().int().min(1).max(100).default(fallback);

export const UploadForm = z.strictObject({
  sourceType: one.optional().describe('What kind of place it came from; "upload" where absent.'),
  sourceId: one
    .optional()
    .describe("Its identity there; later bytes under the same one replace these. The content's hash where absent."),
  sourceUri: one.optional().describe('Where a person finds the original.'),
  title: one.optional(),
  collection: one.optional(),
  createdAt: z.iso
    .datetime({ offset: true })
    .or(z.iso.date())
    .optional()
    .describe("The original's own date, ISO 8601."),
  metadata: z
    .string()
    .transform((text, context) => {
      try {
        return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
      } catch {
        context.addIssue('should be a JSON object');
        return z.NEVER;
      }
    })
    .optional()
    .describe('A JSON object; its scalars can be filtered on.'),
  priority: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['INTERACTIVE', 'BULK']))
    .optional(),
  chunking: Chunking.optional().describe(
    'How it is cut into paragraphs, and later versions that say nothing of it; as the tenant wants it where absent.',
  ),
});

export const DocumentsQuery = z.strictObject({
  first: count(20),
  after: one.optional().describe('`next` of the page before.'),
  status: several.describe('ACCEPTED, PARSED, SEARCHABLE, READY or FAILED; may be given several times.'),
  collection: one.optional(),
  sourceType: one.optional(),
  sourceId: one.optional(),
  sourceIdPrefix: one.optional(),
  contentType: one.optional(),
  language: one.optional(),
  titleContains: one.optional(),
  addedFrom: one.optional(),
  addedTo: one.optional(),
  orderBy: z.enum(['ADDED_NEWEST', 'ADDED_OLDEST', 'TITLE_A_TO_Z', 'TITLE_Z_TO_A']).optional(),
});

export const QuestionQuery = z.strictObject({
  query: z.string().describe('The question.'),
  n: count(5).describe('How many paragraphs, at most 100.'),
  first: z.coerce.number().int().min(1).max(100).optional().describe('The same by the name that the graph has for it.'),
  document: several,
  collection: several,
  sourceType: several,
  contentType: several,
  language: several.describe('ISO 639-1; may be given several times.'),
  createdFrom: one.optional(),
  createdTo: one.optional(),
  addedFrom: one.optional(),
  addedTo: one.optional(),
  titleWord: several,
  minRelevance: z.coerce.number().min(0).max(1).optional(),
  rerank: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['NONE', 'CROSS_ENCODER', 'JUDGE']))
    .optional()
    .describe('What reads the best again; CROSS_ENCODER where one is configured, else NONE.'),
  planning: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['NONE', 'RULES', 'MODEL']))
    .optional()
    .describe('Who reads the request; RULES where absent.'),
  questions: z.coerce
    .number()
    .int()
    .min(0)
    .max(3)
    .optional()
    .describe('Questions made of a statement, encoded beside it.'),
  hypothetical: z.stringbool().optional().describe('Also searches by an answer that the language model makes up.'),
  plan: z
    .string()
    .transform((text, context) => {
      try {
        return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
      } catch {
        context.addIssue('should be a JSON object');
        return z.NEVER;
      }
    })
    .optional()
    .describe('The `reading` of a plan, edited or not, as JSON: nothing is planned anew.'),
  foldDuplicates: z.stringbool().optional().describe('false: paragraphs that nearly repeat a better one are hits too.'),
  diversity: z.coerce.number().min(0).max(1).optional().describe('How much paragraphs have to differ, 0 to 1.'),
  groupBy: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['DOCUMENT']))
    .optional()
    .describe('"document": `n` counts documents.'),
  perGroup: z.coerce.number().int().min(1).max(20).optional().describe('With groupBy: how many of each document.'),
  summaries: z
    .stringbool()
    .optional()
    .describe(
      'false: documents are no hits by title and summary. Answers are written of paragraphs alone in any case.',
    ),
});

export const AskBody = z.strictObject({
  query: z.string().describe('The question.'),
  n: z.number().int().min(1).max(100).default(5).describe('How many paragraphs the answer may use.'),
  filter: z.record(z.string(), z.unknown()).optional().describe('A SearchFilter of the GraphQL schema.'),
  options: z.record(z.string(), z.unknown()).optional().describe('SearchOptions of the GraphQL schema.'),
});

export const FailureShape = z.object({ code: z.string(), message: z.string(), next: z.string() });

export const ProblemShape = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string().describe('A code of docs/errors.md.'),
  next: z.string().describe('What to do next.'),
  requestId: z.string(),
  field: z.string().optional(),
});

export const LinksShape = z.object({
  status: z.string().describe('GET it for the document as it is now.'),
  events: z.string().describe('GET it to follow the document by server-sent events.'),
  text: z.string(),
  original: z.string(),
});

export const DocumentShape = z.object({
  id: z.string(),
  version: z.number().int(),
  title: z.string(),
  sourceType: z.string(),
  sourceId: z.string(),
  sourceUri: z.string().nullable(),
  collection: z.string().nullable(),
  contentType: z.string(),
  language: z.string().nullable(),
  createdAt: z.string().nullable(),
  addedAt: z.string(),
  metadata: z.record(z.string(), z.unknown().or(Scalar)),
  status: z.enum(['ACCEPTED', 'PARSED', 'SEARCHABLE', 'READY', 'FAILED', 'DELETED']),
  failure: FailureShape.nullable(),
  degraded: z.array(FailureShape),
  goneAt: z.string().nullable().describe('When the file that it came from was found to be gone.'),
  progress: z.object({
    total: z.number().int(),
    indexed: z.number().int(),
    enriched: z.number().int(),
    failed: z.number().int(),
    ready: z.number().int(),
    paused: FailureShape.nullable(),
    secondsLeft: z.number().nullable(),
  }),
  links: LinksShape,
});

export const DocumentsShape = z.object({
  documents: z.array(DocumentShape),
  total: z.number().int(),
  next: z.string().nullable().describe('`after` of the next page; null at the end.'),
});

export const UploadedShape = z.object({
  name: z.string(),
  id: z.string(),
  version: z.number().int(),
  unchanged: z.boolean().describe('The same bytes were there already under the same identity: no work is done.'),
  links: LinksShape,
});

export const UploadShape = UploadedShape.extend({
  documents: z
    .array(UploadedShape.or(z.object({ name: z.string(), failure: FailureShape })))
    .describe('One for each file; the fields beside are those of the first that was taken in.'),
});

export const JobShape = z.object({
  id: z.string(),
  kind: z.enum(['DELETE', 'RETRY', 'ENRICH']),
  status: z.enum(['RUNNING', 'DONE']),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  failures: z.array(z.object({ document: z.string(), failure: FailureShape })),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
});

const ParagraphShape = z.object({
  id: z.string(),
  text: z.string().nullable(),
  position: z.number().int().nullable(),
  page: z.number().int().nullable(),
  start: z.number().int().nullable(),
  end: z.number().int().nullable(),
  trail: z.array(z.string()).nullable(),
  document: z.object({ id: z.string(), title: z.string(), sourceUri: z.string().nullable() }).nullable(),
});

export const HitShape = ParagraphShape.extend({
  kind: z
    .enum(['PARAGRAPH', 'SUMMARY'])
    .describe('SUMMARY: a document by its title and summary, which are its `text`; it has no position.'),
  score: z.number().describe('0…1; ranks within one question.'),
  relevance: z.number().describe('0…1; how well it fits at all, comparable between questions.'),
  why: z.array(
    z.object({
      leg: z.enum(['PARAGRAPH', 'SIMPLE_QUESTIONS', 'COMPLEX_QUESTIONS', 'CONTEXT', 'SCOPE', 'LEXICAL']),
      score: z.number(),
      scaled: z.number(),
      rank: z.number().int().nullable(),
      weight: z.number(),
      share: z.number().describe('What the leg gave to the score; they sum to it.'),
      text: z.string().nullable(),
    }),
  ),
  rerank: z
    .object({
      reranker: z.string(),
      score: z.number(),
      scaled: z.number().describe('0…1, within what was reranked.'),
      rank: z.number().int(),
      fusedRank: z.number().int(),
      verdict: z.object({ reason: z.string(), relevant: z.boolean(), grade: z.number().int() }).nullable(),
    })
    .nullable()
    .describe('What the reranker said; null where it was not asked.'),
  duplicates: z
    .array(z.object({ id: z.string(), document: z.string(), title: z.string() }))
    .describe('Paragraphs whose text nearly repeats this one.'),
  highlights: z
    .array(z.object({ start: z.number().int(), end: z.number().int() }))
    .describe('Where words of the question stand in `text`, in code points, `end` exclusive.'),
});

export const CitationShape = z.object({
  marker: z.number().int(),
  quote: z.string().nullable(),
  quoteStart: z.number().int().nullable(),
  quoteEnd: z.number().int().nullable(),
  paragraph: ParagraphShape,
});

const QueryPlanShape = z.object({
  query: z.string(),
  language: z.string().nullable(),
  planning: z.enum(['NONE', 'RULES', 'MODEL', 'GIVEN']),
  reading: z
    .record(z.string(), z.unknown())
    .describe('A Reading of the GraphQL schema; it may be sent back as `plan`.'),
  cost: z.object({
    modelCalls: z.number().int(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    texts: z.number().int(),
    tookMs: z.number(),
  }),
});

export const Missing = z.array(FailureShape).optional().describe('Of the parts that another service could not give.');

export const SearchShape = z.object({
  query: z.string(),
  paragraphs: z.array(HitShape),
  plan: QueryPlanShape,
  groups: z
    .array(z.object({ document: z.string(), title: z.string(), paragraphs: z.array(z.string()) }))
    .nullable()
    .describe('With groupBy: ids of the paragraphs by document.'),
  notices: z.array(FailureShape),
  tookMs: z.number(),
  errors: Missing,
});

export const AnswerShape = z.object({
  query: z.string(),
  answer: z.string().describe('With citations as [n].'),
  found: z.boolean(),
  model: z.string(),
  cached: z.boolean().describe('It was made for an earlier question, and none of its documents has changed since.'),
  citations: z.array(CitationShape),
  paragraphs: z.array(HitShape),
  scores: z.array(z.number()).describe('Of the paragraphs, in their order.'),
  plan: QueryPlanShape.nullable(),
  notices: z.array(FailureShape),
  errors: Missing,
});
