import {
  ACCEPTED_EXAMPLE,
  INGEST_EXAMPLES,
  INIT_ANSWER_EXAMPLE,
  INIT_EXAMPLE,
  UPLOAD_EXAMPLE,
} from '../partner-examples.js';
import { IngestForm, InitBody, InitShape, MetadataForm } from '../partner-shapes.js';
import { UploadShape } from '../shapes.js';
import { formOf, type Operation, type Operations, schemaOf } from './operation.js';

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

export const PARTNER_OPERATIONS: Operations = {
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
};
