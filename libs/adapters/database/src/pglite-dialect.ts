import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { PgliteSession } from './pglite-session.js';

export interface PgliteDialectOptions {
  session: PgliteSession;
  /** Awaited each time that somebody takes the session. */
  onReserve: (connection: DatabaseConnection) => Promise<void>;
}

/** PGlite has one session: whoever wants it waits in line. */
export const pgliteDialect = (options: PgliteDialectOptions): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new SessionDriver(options),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

class SessionDriver implements Driver {
  private readonly line: (() => void)[] = [];
  private taken = false;
  private closed = false;

  constructor(private readonly options: PgliteDialectOptions) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.closed) throw new Error('The embedded database is closed.');
    await this.take();
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
    await this.take();
  }

  private async take(): Promise<void> {
    if (this.taken) await new Promise<void>((resolve) => this.line.push(resolve));
    this.taken = true;
  }

  private pass(): void {
    const next = this.line.shift();
    if (next) next();
    else this.taken = false;
  }
}
