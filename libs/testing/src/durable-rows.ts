import { addErasureTables, addSpreadTables, createDurableTables } from '@postmaster/durable';
import type { Kysely, Migration } from 'kysely';

/** The rows of a service that delivers, and `also` what a test's handlers write. */
export const durableRows = (
  schema: string,
  also: (db: Kysely<unknown>) => Promise<unknown> = async () => {},
): { schema: string; migrations: Record<string, Migration> } => ({
  schema,
  migrations: {
    '0001-delivery': {
      up: async (db: Kysely<unknown>) => {
        await createDurableTables(db, schema);
        await addSpreadTables(db, schema);
        await addErasureTables(db, schema);
        await also(db);
      },
    },
  },
});
