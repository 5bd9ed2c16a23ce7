import { type Kysely, sql } from 'kysely';
import { addClosedTenants } from './closed-tenants.js';

/** What forgetting needs beside `addSpreadTables`: `addErasureColumns`, and the tenants that are closed. */
export const addErasureTables = async (db: Kysely<unknown>, schema: string): Promise<void> => {
  await addErasureColumns(db, schema);
  await addClosedTenants(db, schema);
};

/** Which document an event of the outbox tells of, where on the bus it is, and whether it is to go from there. */
export const addErasureColumns = async (db: Kysely<unknown>, schema: string): Promise<void> => {
  const outbox = sql.table(`${schema}.outbox`);
  await sql`
    alter table ${outbox}
      add column document text generated always as (left(data->>'document', 100)) stored,
      add column sequences bigint[],
      add column erase boolean not null default false`.execute(db);
  await sql`create index on ${outbox} (tenant, document)`.execute(db);
  await sql`create index on ${outbox} (id) where erase`.execute(db);
};
