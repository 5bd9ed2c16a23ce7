import { outsideTransactions, traced } from '@postmaster/durable';
import { EMBEDDING_SCHEMA, embeddingMigrations, embeddingService, type EmbeddingTables } from '@postmaster/embedding';
import { embeddingModule, embeddingTypeDefs } from '@postmaster/embedding/nest';
import { ENCODER_VARIABLES, encoderFromConfig } from '@postmaster/models';
import { checkNeighbour, PROCESS_VARIABLES, type RunningProcess, startService } from '@postmaster/process';
import { readConfig, tellIndexRuns } from '@postmaster/service';
import { STORE_VARIABLES, storeFromConfig } from '@postmaster/vectors';

/** The embedding service as a process of its own; the one that writes the vector store. */
export const startEmbedding = (environment?: Record<string, string>): Promise<RunningProcess> => {
  const config = readConfig(
    [...PROCESS_VARIABLES, ...STORE_VARIABLES, 'EMBEDDING_ROLE', 'RECONCILE_HOURS', ...ENCODER_VARIABLES],
    environment,
  );
  return startService<EmbeddingTables>({
    name: 'embedding',
    config,
    rows: { schema: EMBEDDING_SCHEMA, migrations: embeddingMigrations },
    compose: async ({ db, requests, seal, log, metrics, lifecycle, onSettled, onError }) => {
      const encoder = await encoderFromConfig(config);
      lifecycle.onShutdown('drain', 'encoder', () => encoder.close());
      const store = storeFromConfig(config);
      lifecycle.onShutdown('drain', 'store', () => store.close());
      await checkNeighbour('the vector store', () => store.check(), log);
      const role = config.EMBEDDING_ROLE;
      const service = embeddingService({
        ...{ db, requests, seal, onSettled, onError },
        storeType: config.QDRANT_URL ? 'qdrant' : 'lancedb',
        answersQuestions: role !== 'bulk',
        encodesPassages: role !== 'query',
        holdsEvaluations: role !== 'query',
        reconcileEveryMs: config.RECONCILE_HOURS * 3_600_000,
        onRun: tellIndexRuns(metrics, log),
        onLookUp: (outcome) => metrics.cacheLookups.inc({ cache: 'passage-vector', outcome }),
        encoder: outsideTransactions('encoder', traced('encoder', encoder)),
        store: outsideTransactions('store', traced('store', store)),
      });
      const parts = role === 'query' ? undefined : service;
      return { parts, module: embeddingModule(service.useCases), typeDefs: embeddingTypeDefs() };
    },
  });
};
