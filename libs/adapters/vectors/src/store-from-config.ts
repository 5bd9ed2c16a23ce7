import { resolve } from 'node:path';
import type { PointStore } from '@postmaster/embedding';
import type { CandidateStore } from '@postmaster/retrieval';
import { lanceDbStore } from './lance-db-store.js';
import { qdrantStore } from './qdrant/qdrant-store.js';

/** The variables that say where vectors are. */
export const STORE_VARIABLES = [
  'QDRANT_URL',
  'QDRANT_API_KEY',
  'QDRANT_SHARDS',
  'QDRANT_REPLICATION',
  'QDRANT_WRITE_CONSISTENCY',
  'QDRANT_QUANTIZATION',
  'QDRANT_ON_DISK',
  'QDRANT_HNSW_M',
  'QDRANT_HNSW_EF_CONSTRUCT',
  'QDRANT_TIMEOUT_MS',
] as const;

/** As libs/service reads it. */
export interface StoreConfig {
  POSTMASTER_DATA: string;
  /** Absent: LanceDB in the folder `vectors` of the data, for one process that writes. */
  QDRANT_URL?: string;
  QDRANT_API_KEY?: string;
  QDRANT_SHARDS?: number;
  QDRANT_REPLICATION: number;
  QDRANT_WRITE_CONSISTENCY: number;
  QDRANT_QUANTIZATION: 'none' | 'scalar' | 'binary';
  QDRANT_ON_DISK: boolean;
  QDRANT_HNSW_M: number;
  QDRANT_HNSW_EF_CONSTRUCT: number;
  QDRANT_TIMEOUT_MS: number;
}

export type ConfiguredStore = PointStore &
  CandidateStore & {
    close(): Promise<void>;
    /** For the start. Throws STORE_REFUSED, STORE_UNREACHABLE. */
    check(): Promise<void>;
  };

/** The configured vector store; nothing is asked of it yet, `check()` does that. */
export const storeFromConfig = (config: StoreConfig): ConfiguredStore => {
  if (!config.QDRANT_URL)
    return Object.assign(lanceDbStore({ folder: resolve(config.POSTMASTER_DATA, 'vectors') }), {
      check: () => Promise.resolve(),
    });
  return qdrantStore({
    url: config.QDRANT_URL,
    apiKey: config.QDRANT_API_KEY,
    timeoutMs: config.QDRANT_TIMEOUT_MS,
    settings: {
      shards: config.QDRANT_SHARDS,
      replicas: config.QDRANT_REPLICATION,
      writeConsistency: config.QDRANT_WRITE_CONSISTENCY,
      quantization: config.QDRANT_QUANTIZATION,
      onDisk: config.QDRANT_ON_DISK,
      m: config.QDRANT_HNSW_M,
      efConstruct: config.QDRANT_HNSW_EF_CONSTRUCT,
    },
  });
};
