import { availableParallelism } from 'node:os';
import { folderBlobs } from '@postmaster/blobs';
import type { Encoder, PointStore } from '@postmaster/embedding';
import type { BlobStore, FetchDocument, FolderFiles, Parser } from '@postmaster/ingestion';
import { encoderFromConfig, type LanguageModels, modelsFromConfig, rerankerFromConfig } from '@postmaster/models';
import {
  childProcessParser,
  fetchDocument,
  folderFiles,
  folderRoots,
  languageOf,
  ocrFromConfig,
} from '@postmaster/parsers';
import type { CandidateStore, Reranker } from '@postmaster/retrieval';
import { lanceDbStore } from '@postmaster/vectors';
import type { OpenData } from './open-data.js';
import type { StandaloneConfig } from './standalone-config.js';

/** What the services need beside rows: all of it in this process, or where the configuration says. */
export interface Neighbours {
  blobs: BlobStore;
  encoder: Encoder;
  store: PointStore & CandidateStore;
  models: LanguageModels;
  /** Absent: none is configured. */
  reranker?: Reranker;
  parser: Parser;
  /** Documents read at once. */
  parsers: number;
  fetchDocument: FetchDocument;
  files: FolderFiles;
  languageOf: (text: string) => string | null;
}

const FETCH_TIMEOUT_MS = 30_000;

/**
 * Throws ENCODER_UNREACHABLE and the like where a configured encoder can't be had: nothing works without one; and what
 * is wrong with a reranker's configuration.
 */
export const openNeighbours = async (
  config: StandaloneConfig,
  data: OpenData,
  onFallback?: Parameters<typeof modelsFromConfig>[1],
): Promise<Neighbours> => {
  const parsers = Math.max(1, Math.min(4, availableParallelism() - 1));
  return {
    blobs: folderBlobs(data.within('blobs')),
    encoder: await encoderFromConfig(config),
    store: lanceDbStore({ folder: data.within('vectors') }),
    models: modelsFromConfig(config, onFallback),
    reranker: await rerankerFromConfig(config),
    parser: childProcessParser({ poolSize: parsers, ocr: ocrFromConfig(config) }),
    parsers,
    fetchDocument: fetchDocument({
      ...{ maxBytes: config.MAX_DOCUMENT_BYTES, timeoutMs: FETCH_TIMEOUT_MS },
      allowPrivate: config.ALLOWED_PRIVATE_HOSTS,
    }),
    files: folderFiles({ roots: folderRoots(config) }),
    languageOf,
  };
};

export const closeNeighbours = async ({ encoder, reranker, store, parser }: Neighbours): Promise<void> => {
  await Promise.all([encoder.close(), reranker?.close(), store.close(), parser.close()]);
};
