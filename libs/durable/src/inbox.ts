import { CodedError, type DomainEvent, type EventType } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
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
      const { rows } = await sql`
      with mended as (
        delete from dead_letters
        where tenant = ${event.tenant} and source = 'event' and name = ${consumer} and key = ${event.id}
      )
      insert into inbox (consumer, event, tenant) values (${consumer}, ${event.id}, ${event.tenant})
      on conflict do nothing returning 1 as new`.execute(tx);
      if (rows.length > 0) await write(tx);
    })
    .catch((error: unknown) => {
      if (!(error instanceof CodedError && error.code === 'TENANT_DELETED')) throw error;
    });
