import type { DomainEvent, EventType } from '@postmaster/contracts';
import { sql, type Transaction } from 'kysely';
import type { Database } from './database.js';

/** Handles an event once for this consumer: its inbox row and all that `write` does commit together. */
export const once = <T, E extends EventType>(
  db: Database<T>,
  consumer: string,
  event: DomainEvent<E>,
  write: (tx: Transaction<T>) => Promise<void>,
): Promise<void> =>
  db.asTenant(event.tenant, async (tx) => {
    const { numAffectedRows } = await sql`
      insert into inbox (consumer, event, tenant) values (${consumer}, ${event.id}, ${event.tenant})
      on conflict do nothing`.execute(tx);
    if (numAffectedRows) await write(tx);
  });
