import { databaseOf, type RowFigures, rowFigures } from '@postmaster/durable';
import type { Kysely } from 'kysely';
import { fail, ok, skipped, type Verdict, warn } from '../finding.js';
import { age, count } from '../figures.js';
import { WORKING_SCHEMAS } from './service-rows.js';

/** What waits in the rows of each service. */
export type WaitingWork = ReadonlyMap<string, RowFigures>;

export const waitingWork = async (kysely: Kysely<unknown>): Promise<WaitingWork> => {
  const work = new Map<string, RowFigures>();
  for (const schema of WORKING_SCHEMAS) work.set(schema, await rowFigures(databaseOf(kysely, schema)));
  return work;
};

/** As deploy/prometheus/alerts.yml counts it; and what nobody can have overlooked. */
const LATE_SECONDS = 60;
const STUCK_SECONDS = 3_600;
const UNREAD = 'The schemas lack migrations, so it was not read.';

/** Events that services have still to tell, and since when. */
export const outboxVerdict = (work: WaitingWork | undefined): Verdict => {
  if (!work) return skipped(UNREAD);
  const waiting = [...work].filter(([, { outbox }]) => outbox.count > 0);
  if (waiting.length === 0) return ok('Every event has gone out.');
  const parts = waiting.map(
    ([schema, { outbox }]) => `${schema} ${count(outbox.count, 'event')}, the oldest for ${age(outbox.oldestSeconds)}`,
  );
  const said = `Not gone out yet: ${parts.join('; ')}.`;
  const oldest = Math.max(...waiting.map(([, { outbox }]) => outbox.oldestSeconds));
  const next = 'See whether those services run and reach NATS: docs/runbooks/OutboxNotDrained.md.';
  if (oldest > STUCK_SECONDS) return fail(said, next);
  return oldest > LATE_SECONDS ? warn(said, next) : ok(said);
};

/** What was given up and waits for somebody to look at it. */
export const deadLettersVerdict = (work: WaitingWork | undefined): Verdict => {
  if (!work) return skipped(UNREAD);
  const parts = [...work].flatMap(([schema, { deadLetters }]) =>
    deadLetters.map(
      ({ source, name, count: n }) => `${schema} ${count(n, `${source} of ${name}`, `${source}s of ${name}`)}`,
    ),
  );
  if (parts.length === 0) return ok('There are none.');
  return warn(
    `Given up: ${parts.join('; ')}.`,
    'Look at them with `postmaster deadletters list`: docs/runbooks/DeadLettersGrowing.md.',
  );
};
