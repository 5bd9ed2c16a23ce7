import { openPostgres } from '@postmaster/database';
import { type Kysely, sql } from 'kysely';
import { check } from '../check.js';
import { closeSoon } from '../close-soon.js';
import { fail, type Finding, isBad, ok, skipped, type Verdict, warn } from '../finding.js';
import { notSet, type Patient } from '../patient.js';
import { clockVerdict } from './clock.js';
import { loginVerdict } from './login.js';
import { schemasVerdict } from './schemas.js';
import { roomVerdict, sessionsVerdict } from './sessions.js';
import { deadLettersVerdict, outboxVerdict, waitingWork } from './waiting-work.js';

/** The oldest that anything here was run against, and the oldest whose statements we know. */
const TESTED = 15;
const OLDEST = 14;

/** Postgres: reached, login, schemas, room for connections, sessions that hold others up, clock, and what waits in rows. */
export const examinePostgres = async (patient: Patient): Promise<Finding[]> => {
  const { config, limitMs, now } = patient;
  const url = config.DATABASE_URL;
  if (!url) return [await check('postgres', limitMs, () => skipped(notSet(patient, 'DATABASE_URL')))];
  const database = await openPostgres({ url, poolSize: 2, statementTimeoutMs: limitMs });
  const { kysely } = database;
  const place = new URL(url).host;
  try {
    const reached = await check('postgres', limitMs, () => serverVerdict(kysely, place), `Postgres at ${place}`);
    if (isBad(reached)) return [reached];
    const schemas = check('postgres schemas', limitMs, () => schemasVerdict(kysely));
    const work = schemas.then((found) => (isBad(found) ? undefined : waitingWork(kysely)));
    work.catch(() => undefined); // said by whoever asks for it
    const others = await Promise.all([
      check('postgres login', limitMs, () => loginVerdict(kysely)),
      schemas,
      check('postgres connections', limitMs, () => roomVerdict(kysely, patient)),
      check('postgres sessions', limitMs, () => sessionsVerdict(kysely)),
      check('clock', limitMs, () => clockVerdict(kysely, now)),
      check('outbox', limitMs, async () => outboxVerdict(await work)),
      check('dead letters', limitMs, async () => deadLettersVerdict(await work)),
    ]);
    return [reached, ...others];
  } finally {
    await closeSoon(database.close());
  }
};

const serverVerdict = async (kysely: Kysely<unknown>, place: string): Promise<Verdict> => {
  const began = performance.now();
  const { rows } = await sql<{ version: string; database: string; standby: boolean }>`
    select current_setting('server_version') as version, current_database() as database,
           pg_is_in_recovery() as standby`.execute(kysely);
  const { version = '', database = '', standby = false } = rows[0] ?? {};
  const said = `Postgres ${version.split(' ')[0]} at ${place}, database ${database}, in ${Math.round(performance.now() - began)} ms.`;
  if (standby) return fail(`${said} It is a standby, which takes no writes.`, 'Point DATABASE_URL at the primary.');
  const major = Number.parseInt(version, 10);
  if (major < OLDEST) return fail(`${said} ${OLDEST} or later is needed.`, 'Bring Postgres up to date.');
  return major < TESTED
    ? warn(`${said} Nothing older than ${TESTED} is tested.`, 'Bring Postgres up to date.')
    : ok(said);
};
