import { type IdentitySeal, type NewId, type Requests, type TenantId, tenantProfile } from '@postmaster/contracts';
import {
  answerDeadLetters,
  answerDeletions,
  type Database,
  every,
  type OnSettled,
  releaseLapsed,
  runWorker,
  type ServiceParts,
  sweepDelivered,
  type Worker,
} from '@postmaster/durable';
import { type AcceptDocument, acceptDocument } from './accept-document.js';
import type { ParseLimits, Parser } from './block.js';
import type { BlobStore } from './blob-store.js';
import { attachDocuments } from './attach-documents.js';
import { beginBulkJob, BULK, readBulkJob, runBulkJob, sweepBulkJobs } from './bulk-job.js';
import { deleteDocument, eraseBlob, followErasing } from './delete-document.js';
import { encodeSentences } from './encode-sentences.js';
import type { FetchDocument } from './fetch-document.js';
import { type FolderFiles } from './folders/folder-files.js';
import { configureFolders, type Folders, manageFolders } from './folders/manage-folders.js';
import { answerParagraphTexts } from './folders/paragraph-texts.js';
import { scanFolder } from './folders/scan-folder.js';
import { readSources } from './folders/source-texts.js';
import { rescanFolders, watchFolders } from './folders/watch-folders.js';
import { followDocument } from './follow-document.js';
import { giveOutAnew } from './give-out-anew.js';
import { holdings } from './holdings.js';
import { deletionReceipt } from './deletion-receipt.js';
import { answerDocumentTexts } from './document-texts.js';
import { answerKnownValues } from './known-values.js';
import { answerLivingParagraphs } from './living-paragraphs.js';
import { type OpenOriginal, openOriginal } from './open-original.js';
import { answerParentTexts } from './parent-texts.js';
import { failGivenUp, parseDocument } from './parse-document.js';
import { type DocumentReads, documentReads } from './read-documents.js';
import { enrichDocument, retryDocument } from './retry-document.js';
import { ATTACH } from './rows/attachments.js';
import { ERASE_BLOB, PARSE } from './rows/documents.js';
import { SCAN } from './rows/folders.js';
import type { IngestionTables } from './rows/tables.js';

export interface IngestionPorts {
  db: Database<IngestionTables>;
  blobs: BlobStore;
  parser: Parser;
  fetchDocument: FetchDocument;
  files: FolderFiles;
  requests: Requests;
  seal: IdentitySeal;
  limits: ParseLimits;
  maxBytes: number;
  parsers: number;
  now: () => Date;
  newId: NewId;
  /** How long reading rests while the tenants service does not answer; 5 s. */
  pauseMs?: number;
  /** How long a file in a folder is left alone after it changed; 2 s. */
  settleMs?: number;
  /** Folders that the operator wants read, which are added at the start: a GivenFolder each. */
  configured?: readonly { tenant: string; path: string }[];
  /** How often watched folders are looked at, however quiet they are; 5 minutes. */
  rescanMs?: number;
  onSettled?: OnSettled;
  onError: (error: unknown, where: string) => void;
}

export interface IngestionUseCases {
  accept: AcceptDocument;
  fetchDocument: FetchDocument;
  remove: (tenant: TenantId, id: string) => Promise<boolean>;
  folders: Folders;
  beginBulkJob: ReturnType<typeof beginBulkJob>;
  readBulkJob: ReturnType<typeof readBulkJob>;
  deletionReceipt: ReturnType<typeof deletionReceipt>;
  reads: DocumentReads;
  openOriginal: OpenOriginal;
}

export interface IngestionService extends ServiceParts {
  useCases: IngestionUseCases;
  /** Frees what a killed process held; only when no other process can be alive. */
  recover(): Promise<void>;
}

/** Wires the ingestion service to its ports. */
export const ingestionService = (ports: IngestionPorts): IngestionService => {
  const { db, blobs, requests, seal, now, newId, onError } = ports;
  const sign = (tenant: TenantId) => seal.sign({ tenant, subject: `service:ingestion`, scopes: ['read'] });
  const profile = async (tenant: TenantId) => requests.ask(tenantProfile, await sign(tenant), {});
  const encode = encodeSentences({ requests, sign });
  const retry = retryDocument({ db, profile, now });
  const remove = deleteDocument({ db, now });
  const enrich = enrichDocument({ db });
  const acts: Parameters<typeof runBulkJob>[0]['acts'] = {
    ...{ DELETE: remove, RETRY: retry },
    ENRICH: (tenant, document) => enrich(tenant, document),
  };
  const bulk = { db, now, newId, acts };
  const giveOut = giveOutAnew({ db, now });
  const accept = acceptDocument({ db, blobs, maxBytes: ports.maxBytes, now, newId });
  const { files, rescanMs = 300_000 } = ports;
  const failed = (error: unknown): void => onError(error, 'ingestion.timer');
  const watches = watchFolders({ db, files, onError: failed });
  const onChange = (): void => void watches.sync().catch(failed);
  const folders = manageFolders({ db, files, now, newId, onChange });
  answerLivingParagraphs(requests, db);
  answerKnownValues(requests, db);
  answerDocumentTexts(requests, db);
  const readSource = readSources(ports);
  const texts = { db, readSource, onError: (error: unknown) => onError(error, 'ingestion.source-texts') };
  answerParentTexts(requests, texts);
  answerParagraphTexts(requests, texts);
  answerDeletions(requests, 'ingestion', holdings({ db, blobs }));
  const consumers = [followDocument({ db, now }), followErasing({ db })];
  const onRefused = (error: unknown): void => onError(error, 'ingestion.dead-letters');
  answerDeadLetters(requests, 'ingestion', { db: db as Database<unknown>, consumers, onError: onRefused });

  const onReceipt = (error: unknown): void => onError(error, 'ingestion.deletion-receipt');

  let workers: Worker[] = [];
  let timers: (() => Promise<void>)[] = [];
  const common = {
    db,
    batch: 1,
    onSettled: ports.onSettled,
    onError: (error: unknown) => onError(error, 'ingestion.worker'),
  };
  return {
    consumers,
    start: () => {
      workers = [
        runWorker({
          ...common,
          kind: PARSE,
          slots: ports.parsers,
          work: parseDocument({ ...ports, profile, encode }),
          storeThrown: (tx, tenant, held) => failGivenUp(tx, tenant, held, now()),
        }),
        runWorker({ ...common, kind: BULK, slots: 1, work: runBulkJob(bulk) }),
        runWorker({ ...common, kind: ATTACH, slots: 1, work: attachDocuments({ now, newId }) }),
        runWorker({ ...common, kind: SCAN, slots: 2, work: scanFolder({ ...ports, accept, remove }) }),
        runWorker({ ...common, kind: ERASE_BLOB, slots: 1, work: eraseBlob({ db, blobs }) }),
      ];
      onChange();
      void configureFolders(folders, ports.configured ?? [], failed);
      timers = [
        every(30_000, watches.sync, failed),
        every(Math.min(30_000, rescanMs), rescanFolders({ db, afterMs: rescanMs, now }), failed),
        every(60_000, giveOut, failed),
        every(3_600_000, () => sweepDelivered(db as Database<unknown>), failed),
        every(3_600_000, () => sweepBulkJobs({ db }), failed),
        every(3_600_000, () => blobs.sweepTemporary(3_600_000), failed),
      ];
    },
    stop: async (graceMs) => {
      watches.close();
      await Promise.all([...workers.map((worker) => worker.stop(graceMs)), ...timers.map((stop) => stop())]);
    },
    recover: async () => {
      for (const kind of [PARSE, ATTACH, BULK, SCAN, ERASE_BLOB])
        await releaseLapsed(db as Database<unknown>, kind, true);
    },
    useCases: {
      accept,
      fetchDocument: ports.fetchDocument,
      remove,
      folders,
      beginBulkJob: beginBulkJob(bulk),
      readBulkJob: readBulkJob({ db }),
      deletionReceipt: deletionReceipt({ db, requests, sign, now, onError: onReceipt }),
      reads: documentReads(texts),
      openOriginal: openOriginal({ blobs, files }),
    },
  };
};
