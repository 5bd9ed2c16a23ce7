import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { OpenDatabase } from './open-database.js';
import { plainSessions } from './plain-session.js';

export interface PostgresOptions {
  /** postgres://…; its login owns the schemas, or is a member of both roles where another login migrates. */
  url: string;
  poolSize: number;
  statementTimeoutMs: number;
  /** Told of connections that broke while idle; the pool replaces them by itself. */
  onBroken?: (error: Error) => void;
}

/** What the pool holds; nothing is connected until it is needed. */
export interface PostgresDatabase extends OpenDatabase {
  readonly pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
}

/** Connects on demand: an unreachable server fails the first query, with pg's own error. */
export const openPostgres = ({
  url,
  poolSize,
  statementTimeoutMs,
  onBroken = () => {},
}: PostgresOptions): PostgresDatabase => {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', onBroken);
  // A connection that breaks between two statements of a transaction tells it here alone; the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  const kysely = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool, onReserveConnection: plainSessions() }),
  });
  return { kind: 'postgres', kysely, pool, close: () => kysely.destroy() };
};
