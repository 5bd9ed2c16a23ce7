import { afterAll, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { told } from '@postmaster/testing';
import { sql } from 'kysely';
import { ENRICHMENT_SCHEMA, enrichmentMigrations } from './migrations.js';
import { summariesTold } from './summaries-migration.js';
import type { EnrichmentTables } from './tables.js';

const TOLD = '0011-summaries-told';
const before = Object.fromEntries(Object.entries(enrichmentMigrations).filter(([name]) => name < TOLD));
const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: before }]);
afterAll(() => memory.close());

describe('summaries that were made before they were told of', () => {
  it('are told of once by the migration, each to its tenant', async () => {
    await memory.kysely.transaction().execute(async (tx) => {
      await sql`set local role none`.execute(tx); // as migrations run
      for (const tenant of ['ours', 'theirs'])
        await sql`
          insert into enrichment.summaries (tenant, document, version, input_hash, points, paragraph, model, prompt_version)
          values (${tenant}, ${`d-${tenant}`}, 3, 'h', '[]', ${`What is ${tenant}.`}, 'extractive', 'v')`.execute(tx);
      await summariesTold(ENRICHMENT_SCHEMA).up(tx);
    });
    const db = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA) as Database<unknown>;
    for (const tenant of ['ours', 'theirs'])
      expect(await told(db, TenantId.parse(tenant), 'summary.made')).toEqual([
        { document: `d-${tenant}`, version: 3, lane: 'bulk', revision: 1, paragraph: `What is ${tenant}.` },
      ]);
  });
});
