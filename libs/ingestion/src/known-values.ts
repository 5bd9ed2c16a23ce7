import { type KnownValues, knownValues, Scalar, type Requests } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql, type Transaction } from 'kysely';
import type { IngestionTables } from './rows/tables.js';

const MOST_VALUES = 200;
/** Metadata is read from so many of the newest documents: enough to know the keys, and the same work for any tenant. */
const NEWEST = 2_000;
const MOST_KEYS = 50;
const MOST_PER_KEY = 100;
const LONGEST = 200;

/** Tells retrieval what a tenant's documents have, for query plans to filter by. */
export const answerKnownValues = (requests: Requests, db: Database<IngestionTables>): void =>
  requests.answer(knownValues, ({ tenant }) =>
    db.asTenant(tenant, async (tx) => ({
      collections: await valuesOf(tx, 'collection'),
      sourceTypes: await valuesOf(tx, 'source_type'),
      contentTypes: await valuesOf(tx, 'content_type'),
      languages: await valuesOf(tx, 'language'),
      metadata: await metadataOf(tx),
      ...(await periodsOf(tx)),
    })),
  );

type Listed = 'collection' | 'source_type' | 'content_type' | 'language';

const valuesOf = async (tx: Transaction<IngestionTables>, column: Listed): Promise<string[]> => {
  const rows = await tx
    .selectFrom('documents')
    .select(column)
    .where('status', '<>', 'DELETED')
    .where(column, 'is not', null)
    .groupBy(column)
    .orderBy(sql`count(*)`, 'desc')
    .limit(MOST_VALUES)
    .execute();
  return rows.flatMap((row) => row[column] ?? []);
};

const metadataOf = async (tx: Transaction<IngestionTables>): Promise<KnownValues['metadata']> => {
  const { rows } = await sql<{ key: string; value: unknown }>`
    select pair.key, pair.value::text::json as value
    from (
      select metadata from documents where status <> 'DELETED' order by added_at desc limit ${NEWEST}
    ) as newest, json_each(newest.metadata) as pair
    where json_typeof(pair.value) in ('string', 'number', 'boolean') and length(pair.value::text) <= ${LONGEST}
    group by pair.key, pair.value::text
    order by count(*) desc
    limit ${MOST_KEYS * MOST_PER_KEY}`.execute(tx);
  const known = new Map<string, Scalar[]>();
  for (const { key, value } of rows) {
    const values = known.get(key) ?? [];
    if (values.length >= MOST_PER_KEY || (!known.has(key) && known.size >= MOST_KEYS)) continue;
    known.set(key, [...values, Scalar.parse(value)]);
  }
  return Object.fromEntries(known);
};

const periodsOf = async (tx: Transaction<IngestionTables>): Promise<Pick<KnownValues, 'created' | 'added'>> => {
  const row = await tx
    .selectFrom('documents')
    .where('status', '<>', 'DELETED')
    .select((eb) => [
      eb.fn.min('created_at').as('createdFrom'),
      eb.fn.max('created_at').as('createdTo'),
      eb.fn.min('added_at').as('addedFrom'),
      eb.fn.max('added_at').as('addedTo'),
    ])
    .executeTakeFirstOrThrow();
  return { created: period(row.createdFrom, row.createdTo), added: period(row.addedFrom, row.addedTo) };
};

const period = (from: Date | null, to: Date | null) =>
  from && to ? { from: from.toISOString(), to: to.toISOString() } : null;
