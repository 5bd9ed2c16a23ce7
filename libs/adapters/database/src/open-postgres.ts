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

export const openPostgres = async ({
  url,
  poolSize,
  statementTimeoutMs,
  onBroken = () => {},
}: PostgresOptions): Promise<OpenDatabase> => {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', onBroken);
  const kysely = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool, onReserveConnection: plainSessions() }),
  });
  await kysely.connection().execute(async () => {}); // an unreachable server fails here and not at the first query
  return { kind: 'postgres', kysely, close: () => kysely.destroy() };
};
