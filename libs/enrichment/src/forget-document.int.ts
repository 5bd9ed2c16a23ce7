import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { migrate, openPostgres } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { deliver, eventOf, jobsOf, parsed, postgresBinaries, startPostgres } from '@postmaster/testing';
import { acceptParagraphs } from './accept-paragraphs.js';
import { forgetDocument, forgetOlderVersions } from './forget-document.js';
import { ENRICHMENT_SCHEMA, enrichmentMigrations, type EnrichmentTables } from './index.js';

const TENANT = TenantId.parse('tenant-a');
const TEXT = 'Mathilde Bruun counted 412 ships.';
const binaries = postgresBinaries();

/** Several sessions at once, as replicas have; PGlite has one. */
(binaries === undefined ? describe.skip : describe)('events of one document at the same moment', () => {
  let db: Database<EnrichmentTables>;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    const server = await startPostgres(binaries ?? '');
    const database = await openPostgres({ url: server.url, poolSize: 8, statementTimeoutMs: 10_000 });
    await migrate(database.kysely, [{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
    db = databaseOf<EnrichmentTables>(database.kysely, ENRICHMENT_SCHEMA);
    close = async () => {
      await database.close();
      await server.stop();
    };
  }, 60_000);
  afterAll(() => close());

  const send = (...event: Parameters<typeof eventOf>): Promise<void> =>
    deliver([acceptParagraphs(db), forgetDocument(db), forgetOlderVersions(db)], eventOf(...event));
  const left = async (): Promise<unknown[]> => [
    ...(await db.asTenant(TENANT, (tx) => tx.selectFrom('paragraphs').select('id').execute())),
    ...(await jobsOf(db as Database<unknown>, TENANT)),
  ];
  const documents = Array.from({ length: 150 }, (_, at) => `document-${at}`);

  it('keeps nothing of what is deleted while it comes', async () => {
    await Promise.all(
      documents.flatMap((document) => [
        send(TENANT, 'paragraphs.parsed', parsed(document, 1, [TEXT])),
        send(TENANT, 'document.deleted', { document, version: 1 }),
      ]),
    );
    expect(await left()).toEqual([]);
  });

  it('keeps nothing of a version that comes when a newer one answers', async () => {
    await Promise.all(
      documents.flatMap((number) => {
        const document = `replaced-${number}`;
        return [
          send(TENANT, 'paragraphs.parsed', parsed(document, 1, [TEXT])),
          send(TENANT, 'version.activated', { document, version: 2 }),
        ];
      }),
    );
    expect(await left()).toEqual([]);
  });
});
