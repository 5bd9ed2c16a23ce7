import { AskEvaluation, BeginEvaluation, EvaluationFacts } from '@postmaster/contracts';
import { z } from 'zod';
import {
  DeadLetterShape,
  DeadLettersQuery,
  DeadLettersShape,
  DroppedShape,
  RetriedShape,
  RetryDeadLettersBody,
} from './dead-letter-shapes.js';
import { AddedShape, AddParagraphsBody, AskedShape, DroppedEvaluationShape } from './evaluation-shapes.js';
import {
  ACCEPTED_EXAMPLE,
  INGEST_EXAMPLES,
  INIT_ANSWER_EXAMPLE,
  INIT_EXAMPLE,
  QUERY_ANSWER_EXAMPLE,
  QUERY_EXAMPLE,
  UPLOAD_EXAMPLE,
} from './partner-examples.js';
import { IngestForm, InitBody, InitShape, MetadataForm } from './partner-shapes.js';
import {
  AnswerShape,
  AskBody,
  DocumentShape,
  DocumentsQuery,
  DocumentsShape,
  JobShape,
  ProblemShape,
  QuestionQuery,
  SearchShape,
  UploadForm,
  UploadShape,
} from './shapes.js';

interface Operation {
  summary: string;
  description?: string;
  tag: 'documents' | 'questions' | 'partners' | 'repair' | 'evaluation';
  query?: z.ZodObject;
  id?: 'document' | 'job' | 'dead letter' | 'evaluation';
  body?: Record<string, unknown>;
  status?: number;
  answer: z.ZodType | string;
  /** Of the answer. */
  example?: unknown;
  /** Of the parameters, by their names. */
  asked?: Record<string, unknown>;
}

const schemaOf = (type: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return schema;
};

const formOf = (type: z.ZodType) => {
  const { properties, ...rest } = schemaOf(type, 'input');
  const file = {
    type: 'array',
    items: { type: 'string', format: 'binary' },
    description: 'One or more; after the fields.',
  };
  return { ...rest, properties: { ...properties, file }, required: ['file'] };
};

const ingestForm = () => {
  const { properties, ...rest } = schemaOf(IngestForm, 'input');
  const document = {
    description: 'The file, after the fields; or the http(s) address of the document, as text.',
    oneOf: [
      { type: 'string', format: 'binary' },
      { type: 'string', format: 'uri' },
    ],
  };
  return { ...rest, properties: { ...properties, document }, required: ['tenant_id', 'document'] };
};

const upload: Operation = {
  tag: 'partners',
  summary: 'Upload files with any metadata',
  description:
    'As POST /api/v1/documents, with fields of other names kept as metadata. Answered when the bytes are stored; what an upload that is cut off left behind is cleaned up.',
  body: { 'multipart/form-data': { schema: formOf(MetadataForm), example: UPLOAD_EXAMPLE } },
  status: 202,
  answer: UploadShape,
  example: ACCEPTED_EXAMPLE,
};

const OPERATIONS: Record<string, Record<string, Operation>> = {
  '/api/v1/documents': {
    post: {
      tag: 'documents',
      summary: 'Upload files',
      description: 'Streamed to the store. The fields go before the files and hold for all of them.',
      body: { 'multipart/form-data': { schema: formOf(UploadForm) } },
      status: 202,
      answer: UploadShape,
    },
    get: { tag: 'documents', summary: 'List documents', query: DocumentsQuery, answer: DocumentsShape },
  },
  '/api/v1/init': {
    post: {
      tag: 'partners',
      summary: "Make a tenant with its key and its models; the operator's",
      description:
        'Each part that is given is really used once; 422 PROFILE_REFUSED says what came of each. A form with names like `llm_model[url]` works too. Secrets are stored sealed and never shown again.',
      body: { 'application/json': { schema: schemaOf(InitBody, 'input'), example: INIT_EXAMPLE } },
      status: 201,
      answer: InitShape,
      example: INIT_ANSWER_EXAMPLE,
    },
  },
  '/api/v1/ingest': {
    post: {
      tag: 'partners',
      summary: 'Take in one document, as a file or by its address',
      description:
        "`tenant_id` must be the key's. What is said of the vector store and the models is compared with what the tenant has: another encoder is 409 ENCODER_MISMATCH, anything else 409 PROFILE_MISMATCH. Secrets are compared and dropped.",
      body: { 'multipart/form-data': { schema: ingestForm(), examples: INGEST_EXAMPLES } },
      status: 202,
      answer: UploadShape,
      example: ACCEPTED_EXAMPLE,
    },
  },
  '/documents/upload': { post: upload },
  '/api/v1/documents/upload': { post: upload },
  '/api/v1/documents/{id}': {
    get: { tag: 'documents', summary: 'A document as it is now', id: 'document', answer: DocumentShape },
    delete: {
      tag: 'documents',
      summary: 'Delete a document everywhere',
      id: 'document',
      status: 202,
      answer: JobShape,
    },
  },
  '/api/v1/documents/{id}/retry': {
    post: { tag: 'documents', summary: 'Try again what failed', id: 'document', status: 202, answer: JobShape },
  },
  '/api/v1/documents/{id}/text': {
    get: {
      tag: 'documents',
      summary: "The plain text that paragraphs' offsets count in",
      id: 'document',
      answer: 'text/plain',
    },
  },
  '/api/v1/documents/{id}/original': {
    get: {
      tag: 'documents',
      summary: 'The bytes as they were uploaded; ranges work',
      id: 'document',
      answer: 'application/octet-stream',
    },
  },
  '/api/v1/documents/{id}/events': {
    get: {
      tag: 'documents',
      summary: 'Follow a document',
      description: 'Events: `document` (its state, first the present one), `error`, and `deleted` at the end.',
      id: 'document',
      answer: 'text/event-stream',
    },
  },
  '/api/v1/jobs/{id}': { get: { tag: 'documents', summary: 'A job as it is now', id: 'job', answer: JobShape } },
  '/api/v1/query': {
    get: {
      tag: 'questions',
      summary: 'An answer with its citations, paragraphs and scores',
      query: QuestionQuery,
      answer: AnswerShape,
      asked: QUERY_EXAMPLE,
      example: QUERY_ANSWER_EXAMPLE,
    },
  },
  '/api/v1/search': {
    get: {
      tag: 'questions',
      summary: 'The paragraphs that answer a question, with the reasons',
      query: QuestionQuery,
      answer: SearchShape,
    },
  },
  '/api/v1/ask': {
    post: {
      tag: 'questions',
      summary: 'An answer as it is written',
      description: 'Events: `hits`, then `text` and `citation`, at the end `done`; `error` where it breaks off.',
      body: { 'application/json': { schema: schemaOf(AskBody, 'input') } },
      answer: 'text/event-stream',
    },
  },
  '/api/v1/dead-letters': {
    get: {
      tag: 'repair',
      summary: 'What was given up, newest first',
      description: "A tenant's, with a key of its scope `admin`; all tenants', with the operator's key.",
      query: DeadLettersQuery,
      answer: DeadLettersShape,
    },
  },
  '/api/v1/dead-letters/retry': {
    post: {
      tag: 'repair',
      summary: 'Give out again what was given up',
      description: 'A job starts afresh; an event goes to the consumer that refused it. What is refused again stays.',
      body: { 'application/json': { schema: schemaOf(RetryDeadLettersBody, 'input') } },
      answer: RetriedShape,
    },
  },
  '/api/v1/dead-letters/{service}/{id}': {
    get: { tag: 'repair', summary: 'One with what it is about', id: 'dead letter', answer: DeadLetterShape },
    delete: { tag: 'repair', summary: 'Drop it for good', id: 'dead letter', answer: DroppedShape },
  },
  '/api/v1/evaluations': {
    post: {
      tag: 'evaluation',
      summary: 'Begin an evaluation: an index of its own for paragraphs that are brought along',
      description: 'Needs the scope `admin`. It ends by itself an hour after its last use.',
      body: { 'application/json': { schema: schemaOf(BeginEvaluation, 'input') } },
      status: 201,
      answer: EvaluationFacts,
    },
  },
  '/api/v1/evaluations/{id}/paragraphs': {
    post: {
      tag: 'evaluation',
      summary: 'Put paragraphs in, with their facets or to have them made',
      id: 'evaluation',
      body: { 'application/json': { schema: schemaOf(AddParagraphsBody, 'input') } },
      answer: AddedShape,
    },
  },
  '/api/v1/evaluations/{id}/questions': {
    post: {
      tag: 'evaluation',
      summary: 'Ask questions by several ways side by side',
      id: 'evaluation',
      body: { 'application/json': { schema: schemaOf(AskEvaluation, 'input') } },
      answer: AskedShape,
    },
  },
  '/api/v1/evaluations/{id}': {
    delete: { tag: 'evaluation', summary: 'Drop its index', id: 'evaluation', answer: DroppedEvaluationShape },
  },
};

const inPath = (name: string, description: string) => ({
  ...{ name, in: 'path', required: true, description },
  schema: { type: 'string' },
});

const parametersOf = ({ id, query, asked: examples = {} }: Operation) => {
  const path = [
    ...(id === 'dead letter' ? [inPath('service', 'Which keeps it.')] : []),
    ...(id ? [inPath('id', `The ${id}'s id.`)] : []),
  ];
  const { properties = {}, required = [] } = query ? schemaOf(query, 'input') : {};
  const asked = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    example: examples[name],
    schema: Object.keys(schema).some((key) => key !== 'description')
      ? schema
      : { type: 'array', items: { type: 'string' } },
  }));
  return [...path, ...asked];
};

const contentOf = ({ answer, example }: Operation) =>
  typeof answer === 'string'
    ? { [answer]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: schemaOf(answer, 'output'), example } };

const describe = (operation: Operation) => ({
  tags: [operation.tag],
  summary: operation.summary,
  description: operation.description,
  parameters: parametersOf(operation),
  requestBody: operation.body ? { required: true, content: operation.body } : undefined,
  responses: {
    [operation.status ?? 200]: { description: 'Done.', content: contentOf(operation) },
    default: {
      description: 'A problem (RFC 9457).',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
});

/** The REST facade as OpenAPI 3.1, made from the schemas that parse its requests. */
export const openApi = (version: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Postmaster',
    version,
    description: 'Documents in, answers with citations out. Everything here, and more, is in the graph at /graphql.',
  },
  security: [{ bearer: [] }, { apiKey: [] }],
  paths: Object.fromEntries(
    Object.entries(OPERATIONS).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, describe(operation)])),
    ]),
  ),
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    },
    schemas: { Problem: schemaOf(ProblemShape, 'output') },
  },
});
