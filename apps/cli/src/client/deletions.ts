import { z } from 'zod';
import type { Client } from './client.js';
import { Failure } from './shapes.js';

/** What the command line reads of what is left of what was deleted. */
const Left = z.object({
  deletedAt: z.string(),
  checkedAt: z.string(),
  complete: z.boolean(),
  services: z.array(
    z.object({
      service: z.string(),
      places: z.array(
        z.object({
          place: z.string(),
          left: z.number(),
          kept: z.object({ count: z.number(), why: z.string(), until: z.string().nullable() }).nullable(),
        }),
      ),
      failure: Failure.nullable(),
    }),
  ),
});
export type Left = z.infer<typeof Left>;

export const Receipt = Left.extend({ id: z.string(), documents: z.number() });
export type Receipt = z.infer<typeof Receipt>;

export const TenantDeletion = Left.extend({ tenant: z.string() });
export type TenantDeletion = z.infer<typeof TenantDeletion>;

/** Of a document, or of a job that deletes. */
export const readReceipt = (client: Client, id: string): Promise<Receipt> =>
  client.get(Receipt, `api/v1/deletions/${encodeURIComponent(id)}`);

const tenantPath = (id: string): string => `api/v1/tenants/${encodeURIComponent(id)}`;

export const deleteTenant = (client: Client, id: string): Promise<TenantDeletion> =>
  client.send(TenantDeletion, 'DELETE', tenantPath(id));

export const readTenantDeletion = (client: Client, id: string): Promise<TenantDeletion> =>
  client.get(TenantDeletion, `${tenantPath(id)}/deletion`);
