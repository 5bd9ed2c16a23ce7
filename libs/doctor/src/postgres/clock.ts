import { type Kysely, sql } from 'kysely';
import { fail, ok, type Verdict, warn } from '../finding.js';

/** Identities between services last 60 s; leases and retries go by the database's clock. */
const WRONG_SECONDS = 30;
const LATE_SECONDS = 5;

/** This machine's clock against Postgres's, less half of the way there and back. */
export const clockVerdict = async (kysely: Kysely<unknown>, now: () => number): Promise<Verdict> => {
  const before = now();
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`.execute(kysely);
  const after = now();
  const seconds = ((before + after) / 2 - (rows[0]?.at ?? before)) / 1000;
  const rounded = Math.abs(seconds).toFixed(1);
  const said = `The clock here is ${rounded} s ${seconds < 0 ? 'behind' : 'ahead of'} Postgres's.`;
  const next = 'Let both machines keep their time by NTP.';
  if (Math.abs(seconds) > WRONG_SECONDS)
    return fail(`${said} Identities that services sign last 60 s: they would be refused.`, next);
  return Math.abs(seconds) > LATE_SECONDS ? warn(said, next) : ok(said);
};
