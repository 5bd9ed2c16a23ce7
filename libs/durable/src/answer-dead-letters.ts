import {
  deadLetterRequests,
  type DeadLetterService,
  type Identity,
  isOperator,
  requireRepair,
} from '@postmaster/contracts';
import type { Requests } from '@postmaster/contracts';
import { sql } from 'kysely';
import { pageOfDeadLetters, readDeadLetter } from './read-dead-letters.js';
import { type Reach, retryDeadLetters, type RetryPorts } from './retry-dead-letters.js';

/**
 * Answers for a service's dead letters: to list, show, retry and drop them. A tenant's admin reaches the rows of its
 * tenant alone, by row-level security; the operator those of all, and those of no tenant.
 */
export const answerDeadLetters = (
  requests: Pick<Requests, 'answer'>,
  service: DeadLetterService,
  ports: RetryPorts,
): void => {
  const { db } = ports;
  const reachOf = (identity: Identity): Reach => {
    requireRepair(identity);
    return isOperator(identity) ? (work) => db.asSystem(work) : (work) => db.asTenant(identity.tenant, work);
  };
  const { list, show, retry, drop } = deadLetterRequests(service);
  requests.answer(list, async (identity, page) => reachOf(identity)((tx) => pageOfDeadLetters(tx, service, page)));
  requests.answer(show, async (identity, { id }) => ({
    letter: await reachOf(identity)((tx) => readDeadLetter(tx, service, id)),
  }));
  requests.answer(retry, async (identity, choice) => retryDeadLetters(ports, reachOf(identity), choice));
  requests.answer(drop, async (identity, { id }) => ({
    dropped: await reachOf(identity)(async (tx) => {
      const { numAffectedRows } = await sql`delete from dead_letters where id = ${id}`.execute(tx);
      return Number(numAffectedRows ?? 0) > 0;
    }),
  }));
};
