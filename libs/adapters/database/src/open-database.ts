import type { Kysely } from 'kysely';

/** A database that is ready to take queries, whatever stands behind it. */
export interface OpenDatabase {
  readonly kind: 'pglite' | 'postgres';
  /**
   * Once the roles are made, every session is postmaster_app unless its transaction says otherwise: a query that
   * names no tenant sees no tenant's rows.
   */
  readonly kysely: Kysely<unknown>;
  /** Waits for running queries, then lets go of connections and threads. */
  close(): Promise<void>;
}
