import { availableParallelism } from 'node:os';
import { blobsFromConfig } from '@postmaster/blobs';
import { enrichmentPause, newId } from '@postmaster/contracts';
import { outsideTransactions, traced } from '@postmaster/durable';
import { INGESTION_SCHEMA, ingestionMigrations, ingestionService, type IngestionTables } from '@postmaster/ingestion';
import { ingestionModule, ingestionTypeDefs } from '@postmaster/ingestion/nest';
import {
  childProcessParser,
  fetchDocument,
  folderFiles,
  folderRoots,
  OCR_VARIABLES,
  ocrFromConfig,
} from '@postmaster/parsers';
import {
  checkNeighbour,
  connectionOf,
  PROCESS_VARIABLES,
  type RunningProcess,
  startService,
} from '@postmaster/process';
import { readConfig } from '@postmaster/service';

const FETCH_TIMEOUT_MS = 30_000;

/** The ingestion service as a process of its own. */
export const startIngestion = (environment?: Record<string, string>): Promise<RunningProcess> => {
  const config = readConfig(
    [
      ...PROCESS_VARIABLES,
      ...(['MAX_DOCUMENT_BYTES', 'PARSE_TIMEOUT_MS', 'PARSE_MEMORY_MB', 'BLOBS_URL', 'ALLOWED_PRIVATE_HOSTS'] as const),
      ...OCR_VARIABLES,
      ...(['FOLDER_ROOTS', 'FOLDERS', 'FOLDER_RESCAN_SECONDS'] as const),
      ...(['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_FORCE_PATH_STYLE'] as const),
    ],
    environment,
  );
  const { MAX_DOCUMENT_BYTES: maxBytes, PARSE_TIMEOUT_MS: timeoutMs, PARSE_MEMORY_MB: memoryMb } = config;
  return startService<IngestionTables>({
    name: 'ingestion',
    config,
    rows: { schema: INGESTION_SCHEMA, migrations: ingestionMigrations },
    compose: async ({ db, requests, nats, seal, log, lifecycle, onSettled, onError }) => {
      const parsers = Math.max(1, Math.min(4, availableParallelism() - 1));
      const parser = childProcessParser({ poolSize: parsers, ocr: ocrFromConfig(config) });
      lifecycle.onShutdown('drain', 'parser', () => parser.close());
      const blobs = await blobsFromConfig(config, nats && connectionOf(nats));
      await checkNeighbour('the blob store', () => blobs.check(), log);
      const now = (): Date => new Date();
      const parts = ingestionService({
        ...{ db, requests, seal, now, newId, onSettled, onError, parsers, maxBytes },
        blobs: outsideTransactions('blobs', traced('blobs', blobs)),
        parser: outsideTransactions('parser', traced('parser', parser)),
        fetchDocument: fetchDocument({
          ...{ maxBytes, timeoutMs: FETCH_TIMEOUT_MS, allowPrivate: config.ALLOWED_PRIVATE_HOSTS },
        }),
        files: outsideTransactions('files', folderFiles({ roots: folderRoots(config) })),
        configured: config.FOLDERS,
        rescanMs: config.FOLDER_RESCAN_SECONDS * 1_000,
        limits: { timeoutMs, memoryMb },
      });
      const paused = async (token: string) => (await requests.ask(enrichmentPause, token, {})).paused;
      return {
        parts,
        module: ingestionModule({ ...parts.useCases, paused, now, seal }),
        typeDefs: ingestionTypeDefs(),
      };
    },
  });
};
