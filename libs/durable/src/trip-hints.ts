import type { CompiledQuery } from 'kysely';

/**
 * What a driver may make use of where each message to the database is a trip to another thread: statements that go along
 * with their neighbours, and plans that are kept. Others take no notice, and nothing comes out otherwise.
 */
export interface TripHints {
  /**
   * It opens a transaction and gives no rows, so that it may go along with the statement after it, which then fails with
   * it. The value names all that plans are made for: the role and the schema.
   */
  opens?: string;
  /** Only a commit follows: it may go along, and is not made again. */
  last?: true;
}

export const hinted = <R>(query: CompiledQuery<R>, hints: TripHints): CompiledQuery<R> & TripHints => ({
  ...query,
  ...hints,
});
