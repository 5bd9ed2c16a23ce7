import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedError, TenantId } from '@postmaster/contracts';
import { migrate, openPostgres } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { deliver, enriched, eventOf, idOf, parsed, postgresBinaries, startPostgres } from '@postmaster/testing';
import { EMBEDDING_SCHEMA, embeddingMigrations, type EmbeddingTables } from './index.js';
import { acceptDeletion, acceptFacets, acceptText } from './keep-points.js';

const TENANT = TenantId.parse('tenant-a');
const DOCUMENTS = Array.from({ length: 150 }, (_, at) => `document-${at}`);
const TEXT = 'Mathilde Bruun counted 412 ships.';
const binaries = postgresBinaries();

/** Several sessions at once, as replicas have; PGlite has one. */
(binaries === undefined ? describe.skip : describe)('events of one paragraph at the same moment', () => {
  let db: Database<EmbeddingTables>;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    const server = await startPostgres(binaries ?? '');
    const database = await openPostgres({ url: server.url, poolSize: 8, statementTimeoutMs: 10_000 });
    await migrate(database.kysely, [{ schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations }]);
    db = databaseOf<EmbeddingTables>(database.kysely, EMBEDDING_SCHEMA);
    close = async () => {
      await database.close();
      await server.stop();
    };
  }, 60_000);
  afterAll(() => close());

  const send = (...event: Parameters<typeof eventOf>): Promise<void> =>
    deliver([acceptText(db), acceptFacets(db), acceptDeletion(db)], eventOf(...event));
  const rowOf = (document: string) =>
    db.asTenant(TENANT, (tx) =>
      tx
        .selectFrom('paragraphs')
        .select(['facets_revision', 'erased'])
        .where('id', '=', idOf(document, TEXT))
        .executeTakeFirst(),
    );

  it('hands facets back unless it keeps them, however close their text comes', async () => {
    const lost = await Promise.all(
      DOCUMENTS.map(async (document) => {
        const text = send(TENANT, 'paragraphs.parsed', parsed(document, 1, [TEXT]));
        const early = await send(TENANT, 'paragraphs.enriched', enriched(document, 1, [TEXT])).then(
          () => false,
          (error: unknown) => error instanceof CodedError && error.code === 'NOT_FOUND',
        );
        await text;
        return !early && (await rowOf(document))?.facets_revision !== 1;
      }),
    );
    expect(lost.filter(Boolean)).toHaveLength(0);
  });

  it('keeps nothing of a document that is deleted while its text comes', async () => {
    const left = await Promise.all(
      DOCUMENTS.map(async (number) => {
        const document = `deleted-${number}`;
        await Promise.all([
          send(TENANT, 'paragraphs.parsed', parsed(document, 1, [TEXT])),
          send(TENANT, 'document.deleted', { document, version: 1 }),
        ]);
        const row = await rowOf(document);
        return row !== undefined && !row.erased;
      }),
    );
    expect(left.filter(Boolean)).toHaveLength(0);
  });
});
