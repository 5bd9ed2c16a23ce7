import { SIGNATURE_HEADER } from '../../mail/signed-body.js';
import {
  DocumentShape,
  DocumentsQuery,
  DocumentsShape,
  JobShape,
  UploadedShape,
  UploadForm,
  UploadShape,
} from '../shapes.js';
import { DELETE_DOCUMENTS, DELETION_OPERATIONS } from './deletions.js';
import { formOf, type Operations } from './operation.js';

export const DOCUMENT_OPERATIONS: Operations = {
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
    delete: DELETE_DOCUMENTS,
  },
  ...DELETION_OPERATIONS,
  '/api/v1/mail': {
    post: {
      tag: 'documents',
      summary: 'Take in a mail, from a mail server',
      description:
        'The mail as it travels (RFC 5322), as the body or as the one file of a form. The key says which tenant it is ' +
        `for. The header \`${SIGNATURE_HEADER}: t=<seconds>,v1=<hex>\` signs it: the time, and the HMAC-SHA256 of ` +
        '"<seconds>.<body>" with MAIL_WEBHOOK_SECRET; it holds for five minutes. Its Message-ID is its identity ' +
        '(`sourceType` "mail"), so a mail that comes again is `unchanged`.',
      body: {
        'message/rfc822': { schema: { type: 'string', format: 'binary' } },
        'multipart/form-data': { schema: formOf(UploadForm) },
      },
      status: 202,
      answer: UploadedShape,
    },
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
};
