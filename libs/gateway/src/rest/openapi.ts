import { DOCUMENT_OPERATIONS } from './openapi/documents.js';
import { FOLDER_OPERATIONS } from './openapi/folders.js';
import { type Operation, type Operations, schemaOf } from './openapi/operation.js';
import { PARTNER_OPERATIONS } from './openapi/partners.js';
import { QUESTION_OPERATIONS } from './openapi/questions.js';
import { UPKEEP_OPERATIONS } from './openapi/upkeep.js';
import { ProblemShape } from './shapes.js';

const OPERATIONS: Operations = {
  ...DOCUMENT_OPERATIONS,
  ...PARTNER_OPERATIONS,
  ...FOLDER_OPERATIONS,
  ...QUESTION_OPERATIONS,
  ...UPKEEP_OPERATIONS,
};

const inPath = (name: string, description: string) => ({
  ...{ name, in: 'path', required: true, description },
  schema: { type: 'string' },
});

const IDEMPOTENCY_KEY = {
  ...{ name: 'Idempotency-Key', in: 'header', required: false },
  description:
    'The same key with the same request gives the first answer again, for 24 hours, and does nothing; with another request it is refused (409).',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const parametersOf = (method: string, operation: Operation) => {
  const { id, query, asked: examples = {} } = operation;
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
  return [...path, ...asked, ...(method === 'get' || operation.onlyReads ? [] : [IDEMPOTENCY_KEY])];
};

const contentOf = ({ answer, example }: Operation) =>
  typeof answer === 'string'
    ? { [answer]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: schemaOf(answer, 'output'), example } };

const describe = (method: string, operation: Operation) => ({
  tags: [operation.tag],
  summary: operation.summary,
  description: operation.description,
  parameters: parametersOf(method, operation),
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
export const openApi = (version: string): Record<string, unknown> => ({
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
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, describe(method, operation)])),
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
