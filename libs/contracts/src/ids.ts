import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { z } from 'zod';

/** A tenant: lower-case letters, digits and hyphens, 1–40 of them; safe in subjects, folders and table names. */
export const TenantId = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/)
  .brand<'TenantId'>();
export type TenantId = z.infer<typeof TenantId>;

export type NewId = () => string;

/** Ids that sort by the time they were made (UUID version 7, RFC 9562). */
export const newId: NewId = () => v7();

/** Whether a row may have this id: Postgres throws for others. */
export const isId = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

/** Hex SHA-256 of the parts, each closed by its length, so that no two lists of parts run together. */
export const hashOf = (...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
};

/** A paragraph's id lasts while its text does: made of its document, its text's hash and which occurrence it is (0-based). */
export const paragraphId = (document: string, textHash: string, occurrence: number): string =>
  hashOf(document, textHash, String(occurrence)).slice(0, 32);
