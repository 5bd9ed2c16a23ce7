import { DeleteQuery, ReceiptShape, TenantDeletionShape } from '../deletion-shapes.js';
import { JobShape } from '../shapes.js';

/** How deletions stand in the OpenAPI page. */
export const DELETE_DOCUMENTS = {
  tag: 'documents',
  summary: 'Delete all documents that fit, everywhere',
  description:
    'By `sourceType` and `sourceId` it is one source. At least one condition; `status` with every state means all.',
  query: DeleteQuery,
  status: 202,
  answer: JobShape,
} as const;

export const DELETION_OPERATIONS = {
  '/api/v1/tenants/{id}': {
    delete: {
      tag: 'documents',
      summary: 'Delete a tenant with all that it has',
      description:
        "Needs the operator's key. Nothing of the tenant is taken in from then on, and its keys are refused; it is " +
        'erased in the background, the tenant itself at the end.',
      id: 'tenant',
      status: 202,
      answer: TenantDeletionShape,
    },
  },
  '/api/v1/tenants/{id}/deletion': {
    get: {
      tag: 'documents',
      summary: 'What is left of a tenant that was deleted, counted now',
      description: "Needs the operator's key.",
      id: 'tenant',
      answer: TenantDeletionShape,
    },
  },
  '/api/v1/deletions/{id}': {
    get: {
      tag: 'documents',
      summary: 'What is left of what was deleted, counted now',
      description:
        'For the id of a document, or of the job that deleted documents. Each service counts its own; one that does ' +
        'not answer is told with its code, and then the receipt is not `complete`.',
      id: 'deletion',
      answer: ReceiptShape,
    },
  },
} as const;
