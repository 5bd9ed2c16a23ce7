import { AsyncLocalStorage } from 'node:async_hooks';
import { CodedError, type TenantId } from '@postmaster/contracts';
import { APP_ROLE, SYSTEM_ROLE } from './protect-table.js';
import { type Kysely, type QueryResult, type RawBuilder, sql, type Transaction } from 'kysely';
import { TENANT_CLOSED } from './closed-tenants.js';
import { hinted } from './trip-hints.js';
import { isUnreachable } from './unreachable.js';

/**
 * One service's rows. Every transaction is short, runs in the service's schema, and calls no I/O port:
 * `outsideTransactions` holds that.
 */
export interface Database<T> {
  /**
   * Sees and writes the rows of this tenant only (row-level security, role postmaster_app). Throws TENANT_DELETED where
   * it is closed.
   */
  asTenant<R>(tenant: TenantId, work: (tx: Transaction<T>) => Promise<R>): Promise<R>;
  /** The same for a tenant that may be closed: counts what is left of it, and takes it away. */
  evenClosed<R>(tenant: TenantId, work: (tx: Transaction<T>) => Promise<R>): Promise<R>;
  /** For what comes before or spans tenants: keys by hash, outbox, inbox, job columns, dead letters, tenant ids. */
  asSystem<R>(work: (tx: Transaction<T>) => Promise<R>): Promise<R>;
  /** The same for a transaction of one statement, which may take one trip, and need not wait long for it unless `patient`. */
  oneAsTenant<R>(tenant: TenantId, statement: RawBuilder<R>, how?: { patient?: boolean }): Promise<QueryResult<R>>;
  oneAsSystem<R>(statement: RawBuilder<R>): Promise<QueryResult<R>>;
}

interface OpenTransaction {
  afterCommit: (() => void)[];
  oneTrip: boolean;
}

interface Opened {
  role: string;
  tenant?: string;
  /** Refuses tenants that are closed. */
  enter?: boolean;
  oneTrip?: boolean;
}

const current = new AsyncLocalStorage<OpenTransaction>();

/** Runs `act` once the transaction that is open here has committed; never if it rolls back. */
export const afterCommit = (act: () => void): void => {
  const open = current.getStore();
  if (open) open.afterCommit.push(act);
  else act();
};

/** Whether the transaction that is being opened here takes one trip: where all wait for one session it need not wait long. */
export const takesOneTrip = (): boolean => current.getStore()?.oneTrip ?? false;

/** What fails because the database is out of reach, in the middle of a transaction too, is SERVICE_UNAVAILABLE. */
export const databaseOf = <T>(kysely: Kysely<unknown>, schema: string): Database<T> => {
  const run = async <R>(
    { role, tenant = '', enter = false, oneTrip = false }: Opened,
    work: (tx: Transaction<T>) => Promise<R>,
  ): Promise<R> => {
    if (current.getStore()) throw new Error('A transaction was asked for inside a transaction; pass the open one on.');
    const open: OpenTransaction = { afterCommit: [], oneTrip };
    const result = await current
      .run(open, () =>
        (kysely as Kysely<T>).connection().execute(async (connection) => {
          // One trip to the database begins it and says for whom: with short transactions, trips are what they cost.
          const begin = sql`begin; set local role ${sql.id(role)}; set local app.tenant = ${sql.lit(tenant)};
                  set local search_path = ${sql.id(schema)}`;
          const opening = (enter ? sql`${begin}; select enter_tenant()` : begin).compile(connection);
          try {
            await connection.executeQuery(hinted(opening, { opens: `${role} ${schema}` }));
            const made = await work(connection as Transaction<T>); // it is one: begun above, and ended here alone
            await sql`commit`.execute(connection);
            return made;
          } catch (error) {
            await sql`rollback`.execute(connection).catch(() => undefined); // the first error is the one to tell
            throw error;
          }
        }),
      )
      .catch((error: unknown) => {
        if (isClosed(error)) throw tenantDeleted(tenant);
        throw isUnreachable(error) ? outOfReach(schema, error) : error;
      });
    for (const act of open.afterCommit) act();
    return result;
  };
  const ofTenant = (tenant: TenantId) => ({ role: APP_ROLE, tenant, enter: true });
  const only =
    <R>(statement: RawBuilder<R>) =>
    (tx: Transaction<T>): Promise<QueryResult<R>> =>
      tx.executeQuery(hinted(statement.compile(tx), { last: true }));
  return {
    asTenant: (tenant, work) => run(ofTenant(tenant), work),
    evenClosed: (tenant, work) => run({ role: APP_ROLE, tenant }, work),
    asSystem: (work) => run({ role: SYSTEM_ROLE }, work),
    oneAsTenant: (tenant, statement, { patient = false } = {}) =>
      run({ ...ofTenant(tenant), oneTrip: !patient }, only(statement)),
    oneAsSystem: (statement) => run({ role: SYSTEM_ROLE, oneTrip: true }, only(statement)),
  };
};

const isClosed = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === TENANT_CLOSED;

const tenantDeleted = (tenant: string): CodedError =>
  new CodedError('TENANT_DELETED', `The tenant "${tenant}" was deleted, or is being deleted.`);

const outOfReach = (schema: string, cause: unknown): CodedError =>
  cause instanceof CodedError
    ? cause
    : new CodedError(
        'SERVICE_UNAVAILABLE',
        `The rows of "${schema}" are out of reach: its database can not take this now.`,
        {
          cause,
        },
      );

/** The same port, which refuses to be called while a transaction is open: I/O never holds one up. */
export const outsideTransactions = <P extends object>(name: string, port: P): P =>
  new Proxy(port, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (current.getStore()) throw new Error(`${name}.${String(key)} was called inside a transaction.`);
        return Reflect.apply(member, target, args);
      };
    },
  });
