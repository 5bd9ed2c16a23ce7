import { z } from 'zod';
import { DocumentsQuery, FailureShape } from './shapes.js';

/** As for a list, without the page. */
export const DeleteQuery = DocumentsQuery.omit({ first: true, after: true, orderBy: true });

export const ServicesLeftShape = z.array(
  z.object({
    service: z.string(),
    places: z.array(
      z.object({
        place: z.string().describe('"paragraphs", "blobs", "vectors", "outbox and streams" …'),
        left: z.number().int().describe('Rows, points or files that are still to go.'),
        kept: z
          .object({ count: z.number().int(), why: z.string(), until: z.string().nullable() })
          .nullable()
          .describe('What stays on purpose; it says nothing of what a document held.'),
      }),
    ),
    failure: FailureShape.nullable().describe('Why the service says nothing, where it does not.'),
  }),
);

export const TenantDeletionShape = z.object({
  tenant: z.string(),
  deletedAt: z.string(),
  checkedAt: z.string(),
  complete: z.boolean().describe('Nothing is left anywhere, the tenant and its keys included.'),
  services: ServicesLeftShape,
});

export const ReceiptShape = z.object({
  id: z.string(),
  documents: z.number().int(),
  deletedAt: z.string(),
  checkedAt: z.string(),
  complete: z.boolean().describe('Nothing is left anywhere, and every service said so.'),
  services: ServicesLeftShape,
});
