import type { TenantId } from '@postmaster/contracts';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { Database } from './database.js';

/** Events that only say that a document was deleted; they stay as long as what went out does. */
export const TIDINGS = [
  'document.deleted',
  'document.forgotten',
  'document.progressed',
  'public.document.deleted',
  'public.document.erased',
] as const;

/**
 * Takes what was told of a document, up to a version, out of the outbox. What is on the bus goes from there first, and
 * what has still to go out does so: whoever gets it knows the tombstone. To be called before the deletion is told.
 */
export const forgetEvents = async (
  tx: QueryExecutorProvider,
  tenant: TenantId,
  document: string,
  version: number,
): Promise<void> => {
  const told = sql`tenant = ${tenant} and document = ${document} and (data->>'version')::int <= ${version}`;
  await sql`delete from outbox where ${told} and published_at is not null and sequences is null`.execute(tx);
  await sql`update outbox set erase = true where ${told} and not erase`.execute(tx);
};

/** Messages that are to go from a stream, by the id of their event. */
export interface ErasableEvent {
  id: string;
  sequences: string[];
}

export const erasableEvents = (db: Database<unknown>, isPublic: boolean, limit: number): Promise<ErasableEvent[]> =>
  db.asSystem(async (tx) => {
    const { rows } = await sql<ErasableEvent>`
      select id, coalesce(sequences, '{}') as sequences from outbox
      where erase and published_at is not null and (type like 'public.%') = ${isPublic} limit ${limit}`.execute(tx);
    return rows;
  });

export const dropEvents = async (db: Database<unknown>, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await db.asSystem((tx) => sql`delete from outbox where id = any(${ids}::uuid[]) and erase`.execute(tx));
};
