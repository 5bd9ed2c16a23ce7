import { natsChanges } from '@postmaster/bus';
import { newId, ownModels } from '@postmaster/contracts';
import { traced } from '@postmaster/durable';
import {
  LANGUAGE_MODEL_VARIABLES,
  modelSettingsOf,
  modelsFromConfig,
  RERANKER_VARIABLES,
  rerankerFromConfig,
  tenantModels,
  timedRerankers,
  tryReranker,
} from '@postmaster/models';
import { languageOf } from '@postmaster/parsers';
import { checkNeighbour, PROCESS_VARIABLES, type RunningProcess, startService } from '@postmaster/process';
import { readConfig } from '@postmaster/service';
import { RETRIEVAL_SCHEMA, retrievalMigrations, retrievalService, type RetrievalTables } from '@postmaster/retrieval';
import { retrievalModule, retrievalTypeDefs } from '@postmaster/retrieval/nest';
import { STORE_VARIABLES, storeFromConfig } from '@postmaster/vectors';

/** The retrieval service as a process of its own. It only reads the vector store; its rows are feedback's alone. */
export const startRetrieval = (environment?: Record<string, string>): Promise<RunningProcess> => {
  const config = readConfig(
    [
      ...PROCESS_VARIABLES,
      ...STORE_VARIABLES,
      ...LANGUAGE_MODEL_VARIABLES,
      ...RERANKER_VARIABLES,
      'ALLOWED_PRIVATE_HOSTS',
    ],
    environment,
  );
  return startService<RetrievalTables>({
    name: 'retrieval',
    config,
    rows: { schema: RETRIEVAL_SCHEMA, migrations: retrievalMigrations },
    rowsAre: 'for some requests',
    compose: async ({ db, requests, seal, nats, log, onError, metrics, lifecycle }) => {
      const store = storeFromConfig(config);
      lifecycle.onShutdown('drain', 'store', () => store.close());
      await checkNeighbour('the vector store', () => store.check(), log);
      const saidBy = tenantModels(async (tenant) => {
        const token = await seal.sign({ tenant, subject: 'service:retrieval', scopes: ['read'] });
        return requests.ask(ownModels, token, {});
      }, modelSettingsOf(config));
      const { answers, grades, judge, plans } = modelsFromConfig(config, (fell) => metrics.modelFallbacks.inc(fell));
      const reranker = await rerankerFromConfig(config);
      if (reranker) {
        lifecycle.onShutdown('drain', 'reranker', () => reranker.close());
        const tried = await tryReranker(reranker);
        if (!tried.ok) log.warn(tried.failure, 'the reranker does not work: until it does, the fused order stands');
      }
      const asked = [reranker && traced('reranker', reranker), judge && traced('judge', judge)] as const;
      const useCases = retrievalService({
        ...{ requests, sign: seal.sign, store: traced('store', store), languageOf },
        ...{ model: answers, planner: plans, grader: grades, summarizer: answers },
        ownModel: async (tenant) => (await saidBy(tenant)).models?.answers,
        rerankers: timedRerankers(config, ...asked),
        onSearch: (timing) => {
          for (const [phase, ms] of Object.entries(timing)) metrics.searchSeconds.observe({ phase }, ms / 1000);
        },
        onFault: (err) => log.error({ err }, 'a model of retrieval failed'),
        feedback: { db, newId, now: () => new Date(), onError },
        changes: nats && natsChanges(nats, (err) => log.error({ err }, 'a change of a document was missed')),
        onLookUp: (cache, outcome) => metrics.cacheLookups.inc({ cache, outcome }),
      });
      return { parts: useCases.parts, module: retrievalModule(useCases), typeDefs: retrievalTypeDefs() };
    },
  });
};
