import { CodedError, type DomainEvent, type EventType } from '@postmaster/contracts';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from './database.js';

/**
 * Handles an event once for this consumer: its inbox row and all that `write` does commit together. Where it had been
 * given up before, its dead letter goes. What comes of a tenant that was deleted falls away.
 */
export const once = <T, E extends EventType>(
  db: Database<T>,
  consumer: string,
  event: DomainEvent<E>,
  write: (tx: Transaction<T>) => Promise<void>,
): Promise<void> =>
  db
    .asTenant(event.tenant, async (tx) => {
      const { rows } = await sql`with ${mended(consumer, event)} ${received(consumer, event)}`.execute(tx);
      if (rows.length > 0) await write(tx);
    })
    .catch(unlessDeleted);

/** The same for what one statement writes, `where` what it is given holds: in one trip, which goes ahead of nobody. */
export const onceByOne = <E extends EventType>(
  db: Pick<Database<unknown>, 'oneAsTenant'>,
  consumer: string,
  event: DomainEvent<E>,
  write: (isNew: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> =>
  db
    .oneAsTenant(
      event.tenant,
      sql`with ${mended(consumer, event)}, received as (${received(consumer, event)})
          ${write(sql`exists (select from received)`)}`,
      { patient: true },
    )
    .then(() => {}, unlessDeleted);

const mended = (consumer: string, { tenant, id }: DomainEvent): RawBuilder<unknown> => sql`mended as (
  delete from dead_letters where tenant = ${tenant} and source = 'event' and name = ${consumer} and key = ${id}
)`;

const received = (consumer: string, { tenant, id }: DomainEvent): RawBuilder<unknown> => sql`
  insert into inbox (consumer, event, tenant) values (${consumer}, ${id}, ${tenant})
  on conflict do nothing returning 1 as new`;

const unlessDeleted = (error: unknown): void => {
  if (!(error instanceof CodedError && error.code === 'TENANT_DELETED')) throw error;
};
