import { resolve } from 'node:path';
import { outsideTransactions } from '@postmaster/durable';
import { EMBEDDING_SCHEMA, embeddingMigrations, embeddingService, type EmbeddingTables } from '@postmaster/embedding';
import { embeddingModule, embeddingTypeDefs } from '@postmaster/embedding/nest';
import { encoderFromConfig } from '@postmaster/models';
import { PROCESS_VARIABLES, type RunningProcess, startService } from '@postmaster/process';
import { readConfig } from '@postmaster/service';
import { lanceDbStore } from '@postmaster/vectors';

/** The embedding service as a process of its own; the one that writes the vector store. */
export const startEmbedding = (environment?: Record<string, string>): Promise<RunningProcess> => {
  const config = readConfig(
    [
      ...PROCESS_VARIABLES,
      ...(['ENCODER_PROVIDER', 'ENCODER_URL', 'ENCODER_MODEL', 'ENCODER_API_KEY', 'ENCODER_THREADS'] as const),
    ],
    environment,
  );
  return startService<EmbeddingTables>({
    name: 'embedding',
    config,
    rows: { schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations },
    compose: async ({ db, requests, lifecycle, onSettled, onError }) => {
      const encoder = await encoderFromConfig(config);
      lifecycle.onShutdown('drain', 'encoder', () => encoder.close());
      const store = lanceDbStore({ folder: resolve(config.POSTMASTER_DATA, 'vectors') });
      lifecycle.onShutdown('drain', 'store', () => store.close());
      const parts = embeddingService({
        ...{ db, requests, onSettled, onError },
        encoder: outsideTransactions('encoder', encoder),
        store: outsideTransactions('store', store),
      });
      return { parts, module: embeddingModule(parts.useCases), typeDefs: embeddingTypeDefs() };
    },
  });
};
