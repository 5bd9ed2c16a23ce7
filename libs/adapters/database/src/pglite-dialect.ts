import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { takesOneTrip } from '@postmaster/durable';
import type { PgliteSession } from './pglite-session.js';

export interface PgliteDialectOptions {
  session: PgliteSession;
  /** Awaited each time that somebody takes the session. */
  onReserve: (connection: DatabaseConnection) => Promise<void>;
}

/** So many transactions of one trip go first in a row while others wait. */
const MOST_AHEAD = 8;

/**
 * PGlite has one session: whoever wants it waits in line. Those who take one trip go ahead, for it keeps others waiting
 * for no longer than they wait already; not without end.
 */
export const pgliteDialect = (options: PgliteDialectOptions): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new SessionDriver(options),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

class SessionDriver implements Driver {
  private readonly line = { oneTrip: [] as (() => void)[], more: [] as (() => void)[], closing: [] as (() => void)[] };
  private aheadInARow = 0;
  private taken = false;
  private closed = false;

  constructor(private readonly options: PgliteDialectOptions) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.closed) throw new Error('The embedded database is closed.');
    await this.take(takesOneTrip() ? 'oneTrip' : 'more');
    try {
      await this.options.onReserve(this.options.session);
    } catch (error) {
      this.pass();
      throw error;
    }
    return this.options.session;
  }

  async releaseConnection(): Promise<void> {
    this.pass();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  /** Behind those who wait already. */
  async destroy(): Promise<void> {
    this.closed = true;
    await this.take('closing');
  }

  private async take(as: keyof SessionDriver['line']): Promise<void> {
    if (this.taken) await new Promise<void>((resolve) => this.line[as].push(resolve));
    this.taken = true;
  }

  private pass(): void {
    const { oneTrip, more, closing } = this.line;
    const ahead = oneTrip.length > 0 && (more.length === 0 || this.aheadInARow < MOST_AHEAD);
    const next = (ahead ? oneTrip : more).shift() ?? closing.shift();
    this.aheadInARow = ahead && more.length > 0 ? this.aheadInARow + 1 : 0;
    if (next) next();
    else this.taken = false;
  }
}
