import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { folderBlobs } from '@postmaster/blobs';
import { folderFiles } from '@postmaster/parsers';
import {
  CodedError,
  type DomainEvent,
  type EventData,
  type EventType,
  type IdentitySeal,
  type IndexStage,
  newId,
  TenantId,
  type TenantProfile,
  tenantProfile,
} from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf, outsideTransactions } from '@postmaster/durable';
import { deliver, eventOf, FakeParser, FakeRequests, jobsOf, profileOf, told, untilSettled } from '@postmaster/testing';
import {
  type Accepted,
  type Document,
  type GivenDocument,
  INGESTION_SCHEMA,
  ingestionMigrations,
  type IngestionService,
  ingestionService,
  type IngestionTables,
} from '../src/index.js';

/** The ingestion service over rows in memory and bytes in a temporary folder; its neighbours are whoever writes the test. */
export const ingestionBench = async () => {
  const memory = await openMemoryDatabase([{ schema: INGESTION_SCHEMA, migrations: ingestionMigrations }]);
  const db = databaseOf<IngestionTables>(memory.kysely, INGESTION_SCHEMA);
  const rows = db as Database<unknown>;
  const folder = mkdtempSync(join(tmpdir(), 'postmaster-ingestion-'));
  const blobs = folderBlobs(folder);
  /** Whose subfolders may be read; parted from the bytes that are stored. */
  const root = mkdtempSync(join(tmpdir(), 'postmaster-root-'));
  const files = folderFiles({ roots: [{ path: root }] });
  const errors: unknown[] = [];

  /** A tenant of its own, unless told, with a service of its own, whose clock the test sets. */
  const fresh = (tenant = TenantId.parse(`t-${newId().slice(-12)}`)) => {
    const parser = new FakeParser();
    const clock = { now: new Date('2026-11-21T09:00:00Z') };
    const requests = new FakeRequests();
    const wishes: TenantProfile = { ...profileOf(tenant), paragraphWords: 20 };
    requests.answer(tenantProfile, async () => wishes);
    const service: IngestionService = ingestionService({
      db,
      blobs: outsideTransactions('blobs', blobs),
      parser: outsideTransactions('parser', parser),
      fetchDocument: () => Promise.reject(new CodedError('URL_UNREACHABLE', 'There is no network here.')),
      files: outsideTransactions('files', files),
      settleMs: 50,
      rescanMs: 3_600_000,
      requests,
      seal: { sign: async (identity) => identity.tenant, open: rejected } satisfies IdentitySeal,
      limits: { timeoutMs: 1_000, memoryMb: 256 },
      maxBytes: 1_000_000,
      parsers: 2,
      now: () => clock.now,
      newId,
      pauseMs: 50,
      onError: (error) => errors.push(error),
    });
    const { reads, accept } = service.useCases;
    const give = <T extends EventType>(type: T, data: EventData<T>): Promise<void> =>
      deliver(service.consumers, eventOf(tenant, type, data) as DomainEvent);
    const paragraphs = async (document: string, version: number): Promise<string[]> =>
      (await reads.paragraphs(tenant, document, version, { first: 100 })).items.map(({ node }) => node.id);
    return {
      tenant,
      parser,
      clock,
      requests,
      /** What the tenant wants; a test may change it. */
      wishes,
      profile: async () => wishes,
      service,
      give,
      paragraphs,
      accept: (text: string, given: Partial<GivenDocument> = {}): Promise<Accepted> =>
        accept(tenant, { name: 'a.txt', lane: 'interactive', ...given }, Readable.from([Buffer.from(text)])),
      document: (id: string): Promise<Document | null> => reads.document(tenant, id),
      settled: () => untilSettled(rows, tenant),
      told: <T extends EventType>(type: T) => told(rows, tenant, type),
      jobs: () => jobsOf(rows, tenant),
      hasBytes: (hash: string) => blobs.has(tenant, hash),
      /** Embedding says that these paragraphs (all, unless told) are in. */
      index: async (document: string, version: number, stage: IndexStage, ids?: readonly string[]): Promise<void> =>
        give('paragraphs.indexed', {
          ...{ document, version, stage },
          paragraphs: [...(ids ?? (await paragraphs(document, version)))],
        }),
      makeReady: async (document: string, version: number): Promise<void> => {
        const ids = await paragraphs(document, version);
        for (const stage of ['text', 'facets'] as const)
          await give('paragraphs.indexed', { document, version, stage, paragraphs: ids });
      },
    };
  };
  return {
    ...{ db, rows, blobs, errors, fresh, root, folder },
    close: async () => {
      await memory.close();
      for (const one of [folder, root]) rmSync(one, { recursive: true, force: true });
    },
  };
};

export type Bench = Awaited<ReturnType<typeof ingestionBench>>;
export type Ingestion = ReturnType<Bench['fresh']>;

const rejected = (): Promise<never> => Promise.reject(new Error('Nobody opens a token here.'));

/** Text with so many paragraphs, each of 15 words: none is joined with its neighbour. */
export const textOf = (...paragraphs: string[]): string =>
  paragraphs.map((start) => `${start} ${Array.from({ length: 15 }, (_, i) => `word${i}`).join(' ')}.`).join('\n\n');
