import type { ServiceRows } from '@postmaster/database';
import { EMBEDDING_SCHEMA, embeddingMigrations } from '@postmaster/embedding';
import { ENRICHMENT_SCHEMA, enrichmentMigrations } from '@postmaster/enrichment';
import { INGESTION_SCHEMA, ingestionMigrations } from '@postmaster/ingestion';
import { RETRIEVAL_SCHEMA, retrievalMigrations } from '@postmaster/retrieval';
import { TENANTS_SCHEMA, tenantsMigrations } from '@postmaster/tenants';

/** What this version of the code needs of the database. */
export const SERVICE_ROWS: readonly ServiceRows[] = [
  { schema: TENANTS_SCHEMA, migrations: tenantsMigrations },
  { schema: INGESTION_SCHEMA, migrations: ingestionMigrations },
  { schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations },
  { schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations },
  { schema: RETRIEVAL_SCHEMA, migrations: retrievalMigrations },
];

/** Those that tell events and have jobs; tenants does neither. */
export const WORKING_SCHEMAS = [INGESTION_SCHEMA, ENRICHMENT_SCHEMA, EMBEDDING_SCHEMA, RETRIEVAL_SCHEMA] as const;
