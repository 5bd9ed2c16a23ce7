import {
  CodedError,
  done,
  type Failure,
  failureOf,
  type Outcome,
  paused,
  type TenantId,
  type TenantProfile,
} from '@postmaster/contracts';
import type { Database, Finished, Job } from '@postmaster/durable';
import type { ParsedDocument, ParseLimits, Parser } from './block.js';
import type { BlobStore } from './blob-store.js';
import type { Transaction } from 'kysely';
import { STRATEGIES } from './chunk/index.js';
import { cutOf, wantedCut } from './cut.js';
import { failDocument, keepParse, storeParagraphs } from './rows/parsed.js';
import { readForParsing } from './rows/read-for-parsing.js';
import type { IngestionTables } from './rows/tables.js';

export interface ParsePorts {
  db: Database<IngestionTables>;
  blobs: BlobStore;
  parser: Parser;
  limits: ParseLimits;
  profile: (tenant: TenantId) => Promise<TenantProfile>;
  /** Sentences by the tenant's encoder, for the strategy that asks for them. */
  encode: (tenant: TenantId, texts: readonly string[]) => Promise<Float32Array[]>;
  now: () => Date;
  /** How long work rests while another service does not answer; 5 s. */
  pauseMs?: number;
}

/** Names the way a document is read: stored parses of another are made anew. */
export const PARSER_VERSION = 'blocks-1';

/**
 * Reads one document: bytes → blocks → paragraphs. What is wrong with the document itself is stored on it and ends
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
      settled(done(), (tx) => failDocument(tx, tenant, document, failure, ports.now()));
    try {
      const stored = await readForParsing(ports.db, tenant, document, PARSER_VERSION);
      if (!stored) return settled({ kind: 'skipped', why: 'a newer version came in, or it was deleted' });
      const wanted = wantedCut(stored.chunking, await ports.profile(tenant));
      const parsed = stored.parsed ?? (await parse(ports, tenant, stored));
      const chunks = await STRATEGIES[wanted.chunking](parsed, wanted, (texts) => ports.encode(tenant, texts));
      if (chunks.length === 0) return failed(new CodedError('NO_TEXT', 'The document has no text.').toFailure());
      return settled(done(), async (tx) => {
        if (!stored.parsed) await keepParse(tx, tenant, stored.blobHash, PARSER_VERSION, parsed);
        await storeParagraphs(tx, tenant, document, parsed, { chunks, cut: cutOf(wanted) }, ports.now());
      });
    } catch (error) {
      if (error instanceof CodedError && error.status === 422) return failed(failureOf(error));
      if (error instanceof CodedError && AWAY.has(error.code))
        return settled(paused(ports.pauseMs ?? 5_000, error.toFailure()));
      throw error;
    }
  };

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

const parse = (
  { blobs, parser, limits }: ParsePorts,
  tenant: TenantId,
  { blobHash, name, declaredType }: { blobHash: string; name: string; declaredType?: string },
): Promise<ParsedDocument> =>
  blobs.local(tenant, blobHash, (path) => parser.parse({ path, name, declaredType }, limits));
