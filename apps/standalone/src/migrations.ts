import type { ServiceRows } from '@postmaster/database';
import { EMBEDDING_SCHEMA, embeddingMigrations } from '@postmaster/embedding';
import { ENRICHMENT_SCHEMA, enrichmentMigrations } from '@postmaster/enrichment';
import { INGESTION_SCHEMA, ingestionMigrations } from '@postmaster/ingestion';
import { RETRIEVAL_SCHEMA, retrievalMigrations } from '@postmaster/retrieval';
import { TENANTS_SCHEMA, tenantsMigrations } from '@postmaster/tenants';

/** The rows of every service that has some. */
export const SERVICE_ROWS: readonly ServiceRows[] = [
  { schema: TENANTS_SCHEMA, migrations: tenantsMigrations },
  { schema: INGESTION_SCHEMA, migrations: ingestionMigrations },
  { schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations },
  { schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations },
  { schema: RETRIEVAL_SCHEMA, migrations: retrievalMigrations },
];
