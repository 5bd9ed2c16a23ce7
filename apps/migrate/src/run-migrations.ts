import { CodedError } from '@postmaster/contracts';
import { migrate, openPostgres, type ServiceRows } from '@postmaster/database';
import { EMBEDDING_SCHEMA, embeddingMigrations } from '@postmaster/embedding';
import { ENRICHMENT_SCHEMA, enrichmentMigrations } from '@postmaster/enrichment';
import { INGESTION_SCHEMA, ingestionMigrations } from '@postmaster/ingestion';
import { RETRIEVAL_SCHEMA, retrievalMigrations } from '@postmaster/retrieval';
import { readConfig } from '@postmaster/service';
import { TENANTS_SCHEMA, tenantsMigrations } from '@postmaster/tenants';

const SERVICE_ROWS: readonly ServiceRows[] = [
  { schema: TENANTS_SCHEMA, migrations: tenantsMigrations },
  { schema: INGESTION_SCHEMA, migrations: ingestionMigrations },
  { schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations },
  { schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations },
  { schema: RETRIEVAL_SCHEMA, migrations: retrievalMigrations },
];

export interface MigrationsRun {
  /** Steps that ran, as "schema/name"; none where the database was up to date. */
  ran: string[];
  /** Logins that may now act as the roles of services. */
  admitted: string[];
}

/**
 * Brings every service's schema in Postgres up to date, under one advisory lock and all or nothing, and admits the
 * logins that services use. Throws CONFIG_INVALID without an address, DATA_NEWER.
 */
export const runMigrations = async (environment?: Record<string, string>): Promise<MigrationsRun> => {
  const config = readConfig(['MIGRATE_DATABASE_URL', 'MIGRATE_GRANT_TO', 'DATABASE_TIMEOUT_MS'], environment);
  const url = config.MIGRATE_DATABASE_URL;
  if (!url)
    throw new CodedError(
      'CONFIG_INVALID',
      'MIGRATE_DATABASE_URL is not set; it should be the postgres:// address of a login that may make schemas and roles (default none).',
    );
  const admitted = config.MIGRATE_GRANT_TO?.split(',').flatMap((login) => login.trim() || []) ?? [];
  const database = openPostgres({ url, poolSize: 1, statementTimeoutMs: config.DATABASE_TIMEOUT_MS });
  try {
    return { ran: await migrate(database.kysely, SERVICE_ROWS, admitted), admitted };
  } finally {
    await database.close();
  }
};
