import { knownMetadata, type Requests, Scalar } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { sql } from 'kysely';
import type { EnrichmentTables } from '../rows/tables.js';

/** As ingestion does with what was given: enough of the newest documents to know their values, at a bounded cost. */
const NEWEST = 2_000;
const MOST_PER_KEY = 100;
const LONGEST = 200;

/** Tells retrieval what was extracted from a tenant's documents, for query plans to filter by. */
export const answerKnownMetadata = (requests: Requests, db: Database<EnrichmentTables>): void =>
  requests.answer(knownMetadata, ({ tenant }) =>
    db.asTenant(tenant, async (tx) => {
      const { rows } = await sql<{ key: string; value: unknown }>`
        select pair.key, pair.value::text::json as value
        from (select filters from extracted order by extracted_at desc limit ${NEWEST}) as newest,
          json_each(newest.filters) as pair
        where length(pair.value::text) <= ${LONGEST} and pair.key <> 'amount'
        group by pair.key, pair.value::text
        order by count(*) desc`.execute(tx);
      const known = new Map<string, Scalar[]>();
      for (const { key, value } of rows) {
        const values = known.get(key) ?? [];
        if (values.length < MOST_PER_KEY) known.set(key, [...values, Scalar.parse(value)]);
      }
      const dated = await tx
        .selectFrom('extracted')
        .select((eb) => [eb.fn.min('dated').as('from'), eb.fn.max('dated').as('to')])
        .executeTakeFirst();
      const { from, to } = dated ?? {};
      return {
        metadata: Object.fromEntries(known),
        dated: from && to ? { from: startOf(from), to: startOf(to) } : null,
      };
    }),
  );

const startOf = (day: string): string => `${day}T00:00:00.000Z`;
