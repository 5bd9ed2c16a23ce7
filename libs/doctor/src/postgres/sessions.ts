import { type Kysely, sql, type Transaction } from 'kysely';
import { connectionsVerdict } from '../connections.js';
import { fail, ok, type Verdict, warn } from '../finding.js';
import { age, count } from '../figures.js';
import type { Patient } from '../patient.js';

/** As the login itself: the role of services sees nobody's sessions but its own. */
const asLogin = <R>(kysely: Kysely<unknown>, work: (tx: Transaction<unknown>) => Promise<R>): Promise<R> =>
  kysely.transaction().execute(async (tx) => {
    await sql`select set_config('role', 'none', true)`.execute(tx);
    return work(tx);
  });

/** Pools × the most replicas against max_connections. */
export const roomVerdict = async (kysely: Kysely<unknown>, patient: Patient): Promise<Verdict> => {
  const { replicas, pools, environment, config } = patient;
  const { rows } = await asLogin(kysely, (tx) =>
    // reserved_connections is there from Postgres 16 on
    sql<{ most: number; reserved: number; open: number; limit: number }>`
      select current_setting('max_connections')::int as most,
             current_setting('superuser_reserved_connections')::int
               + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved,
             (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as open,
             (select rolconnlimit from pg_roles where rolname = session_user) as limit`.execute(tx),
  );
  const { most = 0, reserved = 0, open = 0, limit = -1 } = rows[0] ?? {};
  const poolSize = environment.DATABASE_POOL_SIZE === undefined ? undefined : config.DATABASE_POOL_SIZE;
  const verdict = connectionsVerdict({ most, reserved, open, replicas, pools, poolSize });
  if (limit < 0 || limit >= most) return verdict;
  const said = `${verdict.said} The login itself may open only ${limit}.`;
  return verdict.state === 'fail'
    ? { ...verdict, said }
    : warn(said, 'Lift the limit: alter role <login> connection limit -1.');
};

const LONG_SECONDS = 60;
/** So long, and dead rows pile up behind it. */
const TOO_LONG_SECONDS = 3_600;

/** Transactions that somebody left open: they hold locks, and keep vacuum from clearing up. */
export const sessionsVerdict = async (kysely: Kysely<unknown>): Promise<Verdict> => {
  const { rows } = await asLogin(kysely, (tx) =>
    sql<{ idle: number; seconds: number; pid: number | null }>`
      select count(*)::int as idle, coalesce(max(extract(epoch from now() - state_change)), 0)::float8 as seconds,
             (array_agg(pid order by state_change))[1] as pid
      from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%' and state_change < now() - interval '5 seconds'`.execute(
      tx,
    ),
  );
  const { idle = 0, seconds = 0, pid } = rows[0] ?? {};
  if (idle === 0) return ok('No session of this login is idle in a transaction.');
  const said = `${count(idle, 'session')} ${idle === 1 ? 'is' : 'are'} idle in a transaction, the oldest for ${age(seconds)} (process ${pid}).`;
  const next = `End it: select pg_terminate_backend(${pid}); find out who left it open.`;
  if (seconds > TOO_LONG_SECONDS) return fail(said, next);
  return seconds > LONG_SECONDS ? warn(said, next) : ok(said);
};
