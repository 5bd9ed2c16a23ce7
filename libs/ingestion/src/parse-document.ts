import {
  CodedError,
  CODES,
  done,
  type Failure,
  failureOf,
  later,
  type Outcome,
  paused,
  type TenantId,
  type TenantProfile,
} from '@postmaster/contracts';
import type { Database, Finished, Job } from '@postmaster/durable';
import type { ParsedDocument, ParseLimits, Parser } from './block.js';
import type { BlobStore } from './blob-store.js';
import type { Transaction } from 'kysely';
import { chunkDocument } from './chunk/index.js';
import { cutOf, wantedCut } from './cut.js';
import type { FolderFiles } from './folders/folder-files.js';
import { keepAttachments, type KeptAttachments, Superseded, TREE } from './keep-attachments.js';
import { releaseAttachments, setAttachments } from './rows/attachments.js';
import { wantScan } from './rows/folders.js';
import { failDocument, keepParse, storeParagraphs } from './rows/parsed.js';
import { readForParsing, type ToParse } from './rows/read-for-parsing.js';
import type { IngestionTables } from './rows/tables.js';

export interface ParsePorts {
  db: Database<IngestionTables>;
  blobs: BlobStore;
  parser: Parser;
  files: FolderFiles;
  limits: ParseLimits;
  /** Of one file within a document. */
  maxBytes: number;
  profile: (tenant: TenantId) => Promise<TenantProfile>;
  /** Sentences by the tenant's encoder, for the strategy that asks for them. */
  encode: (tenant: TenantId, texts: readonly string[]) => Promise<Float32Array[]>;
  now: () => Date;
  /** How long work rests while another service does not answer; 5 s. */
  pauseMs?: number;
}

/** Names the way a document is read: stored parses of another are made anew. */
export const PARSER_VERSION = 'blocks-1';
/** A stored parse speaks of files within the document, but does not hold them: they are unpacked anew. */
const WITH_ATTACHMENTS = `${PARSER_VERSION}+attachments`;

/**
 * Reads one document: bytes → blocks → paragraphs, and the files within it to documents of their own. What is wrong with the document itself is stored on it and ends
 * the job; only what is wrong with the system is tried again.
 */
export const parseDocument =
  (ports: ParsePorts) =>
  async (tenant: TenantId, [job]: readonly Job[]): Promise<Finished<IngestionTables>> => {
    if (!job) return { outcomes: new Map() };
    const document = { id: job.document, version: job.version };
    const settled = (outcome: Outcome, store?: Finished<IngestionTables>['store']): Finished<IngestionTables> => ({
      outcomes: new Map([[job.id, outcome]]),
      store: async (tx, held) => {
        if (held[0]?.outcome.kind === 'hopeless') await failGivenUp(tx, tenant, held, ports.now());
        else await store?.(tx, held);
      },
    });
    const failed = (failure: Failure): Finished<IngestionTables> =>
      settled(done(), async (tx) => {
        await failDocument(tx, tenant, document, failure, ports.now());
        await releaseAttachments(tx, tenant, document);
      });
    let source: ToParse['source'];
    try {
      const toParse = await readForParsing(ports.db, tenant, document, PARSER_VERSION);
      source = toParse?.source;
      if (!toParse) return settled(superseded);
      const wanted = wantedCut(toParse.chunking, await ports.profile(tenant));
      const attachments = keepAttachments(ports, tenant, document, toParse.tree);
      const parsed = toParse.parsed ?? (await parse(ports, tenant, toParse, attachments));
      const chunks = await chunkDocument(parsed, wanted, (texts) => ports.encode(tenant, texts));
      if (chunks.length === 0) return failed(new CodedError('NO_TEXT', 'The document has no text.').toFailure());
      return settled(done(), async (tx) => {
        const parser = parsed.attachments ? WITH_ATTACHMENTS : PARSER_VERSION;
        if (!toParse.parsed && !source) await keepParse(tx, tenant, toParse.blobHash, parser, parsed);
        const row = await storeParagraphs(tx, tenant, document, parsed, { chunks, cut: cutOf(wanted) }, ports.now());
        if (row) await setAttachments(tx, tenant, row, attachments.stored);
        else await releaseAttachments(tx, tenant, document);
      });
    } catch (error) {
      if (error instanceof Superseded) return settled(superseded);
      if (error instanceof CodedError && (error.status === 422 || error.code === 'SOURCE_GONE'))
        return failed(source ? withoutText(error) : failureOf(error));
      if (error instanceof CodedError && error.code === 'SOURCE_CHANGED') {
        const { folder } = source ?? {};
        if (folder) await ports.db.asTenant(tenant, (tx) => wantScan(tx, tenant, folder, job.lane));
        return settled(later(CHANGED_MS, error.toFailure()));
      }
      if (error instanceof CodedError && AWAY.has(error.code))
        return settled(paused(ports.pauseMs ?? 5_000, error.toFailure()));
      throw error;
    }
  };

/** How soon a file that changed under its reader is tried again, with what a look at its folder made of it. */
const CHANGED_MS = 1_000;

/** Some failures quote the document, of which nothing is to be stored. */
const withoutText = ({ code, message, next }: CodedError): Failure => ({
  ...{ code, next },
  message: code === 'PARAGRAPH_TOO_LONG' ? CODES[code].meaning : message,
});

const superseded: Outcome = { kind: 'skipped', why: 'a newer version came in, or it was deleted' };

/** Another service, or the encoder, does not answer: the work waits for it and spends no attempts. */
const AWAY: ReadonlySet<string> = new Set([
  'SERVICE_UNAVAILABLE',
  'TIMED_OUT',
  'ENCODER_UNREACHABLE',
  'ENCODER_REFUSED',
]);

/** Says on the documents themselves that reading them was given up. */
export const failGivenUp = async (
  tx: Transaction<IngestionTables>,
  tenant: TenantId,
  held: readonly { job: Job; outcome: Outcome }[],
  now: Date,
): Promise<void> => {
  for (const { job, outcome } of held)
    if (outcome.kind === 'hopeless')
      await failDocument(tx, tenant, { id: job.document, version: job.version }, outcome.why, now);
};

const parse = async (
  { blobs, files, parser, limits }: ParsePorts,
  tenant: TenantId,
  { blobHash, name, declaredType, depth, source }: ToParse,
  { keep, facts }: KeptAttachments,
): Promise<ParsedDocument> => {
  if (source)
    return files.local(tenant, source.root, source.path, source, (path) => parser.parse({ path, name }, limits));
  const kept = depth < TREE.depth ? keep : undefined;
  const parsed = await blobs.local(tenant, blobHash, (path) =>
    parser.parse({ path, name, declaredType }, limits, undefined, kept),
  );
  return { ...parsed, metadata: { ...parsed.metadata, ...facts(parsed.attachments ?? []) } };
};
