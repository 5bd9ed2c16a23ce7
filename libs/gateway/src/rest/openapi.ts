import { z } from 'zod';
import {
  DeadLetterShape,
  DeadLettersQuery,
  DeadLettersShape,
  DroppedShape,
  RetriedShape,
  RetryDeadLettersBody,
} from './dead-letter-shapes.js';
import { FeedbackBody, FeedbackExportQuery, FeedbackShape } from './feedback-shapes.js';
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
  tag: 'documents' | 'questions' | 'repair';
  query?: z.ZodObject;
  id?: 'document' | 'job' | 'dead letter';
  body?: Record<string, unknown>;
  status?: number;
  answer: z.ZodType | string;
}

const schemaOf = (type: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return schema;
};

const form = () => {
  const { properties, ...rest } = schemaOf(UploadForm, 'input');
  const file = {
    type: 'array',
    items: { type: 'string', format: 'binary' },
    description: 'One or more; after the fields.',
  };
  return { ...rest, properties: { ...properties, file }, required: ['file'] };
};

const OPERATIONS: Record<string, Record<string, Operation>> = {
  '/api/v1/documents': {
    post: {
      tag: 'documents',
      summary: 'Upload files',
      description: 'Streamed to the store. The fields go before the files and hold for all of them.',
      body: { 'multipart/form-data': { schema: form() } },
      status: 202,
      answer: UploadShape,
    },
    get: { tag: 'documents', summary: 'List documents', query: DocumentsQuery, answer: DocumentsShape },
  },
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
  '/api/v1/feedback': {
    post: {
      tag: 'questions',
      summary: 'Say that a hit or an answer is right or wrong',
      description: 'It becomes a judged question, to evaluate and tune by; no search goes by it.',
      body: { 'application/json': { schema: schemaOf(FeedbackBody, 'input') } },
      status: 201,
      answer: FeedbackShape,
    },
  },
  '/api/v1/feedback/export': {
    get: {
      tag: 'questions',
      summary: 'Judged questions as lines of JSON',
      description:
        'With a key of the scope `admin`. As a set: `paragraph`, `facets`, `query` and `qrel` lines; as pairs: `pair` lines. A last line of the kind `error` tells that it broke off.',
      query: FeedbackExportQuery,
      answer: 'application/x-ndjson',
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
};

const inPath = (name: string, description: string) => ({
  ...{ name, in: 'path', required: true, description },
  schema: { type: 'string' },
});

const parametersOf = ({ id, query }: Operation) => {
  const path = [
    ...(id === 'dead letter' ? [inPath('service', 'Which keeps it.')] : []),
    ...(id ? [inPath('id', `The ${id}'s id.`)] : []),
  ];
  const { properties = {}, required = [] } = query ? schemaOf(query, 'input') : {};
  const asked = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: Object.keys(schema).some((key) => key !== 'description')
      ? schema
      : { type: 'array', items: { type: 'string' } },
  }));
  return [...path, ...asked];
};

const contentOf = (answer: z.ZodType | string) =>
  typeof answer === 'string'
    ? { [answer]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: schemaOf(answer, 'output') } };

const describe = (operation: Operation) => ({
  tags: [operation.tag],
  summary: operation.summary,
  description: operation.description,
  parameters: parametersOf(operation),
  requestBody: operation.body ? { required: true, content: operation.body } : undefined,
  responses: {
    [operation.status ?? 200]: { description: 'Done.', content: contentOf(operation.answer) },
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
