import { ownModels } from '@postmaster/contracts';
import { outsideTransactions, traced } from '@postmaster/durable';
import {
  ENRICHMENT_SCHEMA,
  enrichmentMigrations,
  enrichmentService,
  type EnrichmentTables,
} from '@postmaster/enrichment';
import { enrichmentModule, enrichmentTypeDefs } from '@postmaster/enrichment/nest';
import {
  entityModels,
  LANGUAGE_MODEL_VARIABLES,
  modelSettingsOf,
  modelsFromConfig,
  tenantModels,
} from '@postmaster/models';
import { languageOf } from '@postmaster/parsers';
import { PROCESS_VARIABLES, type RunningProcess, startService } from '@postmaster/process';
import { countModelCalls, readConfig } from '@postmaster/service';

/** The enrichment service as a process of its own. */
export const startEnrichment = (environment?: Record<string, string>): Promise<RunningProcess> => {
  const config = readConfig([...PROCESS_VARIABLES, ...LANGUAGE_MODEL_VARIABLES, 'ALLOWED_PRIVATE_HOSTS'], environment);
  return startService<EnrichmentTables>({
    name: 'enrichment',
    config,
    rows: { schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations },
    compose: ({ db, requests, seal, metrics, onSettled, onError }) => {
      const { facets, metadata, summaries, entities } = modelsFromConfig(config, (fell) =>
        metrics.modelFallbacks.inc(fell),
      );
      const saidBy = tenantModels(async (tenant) => {
        const token = await seal.sign({ tenant, subject: 'service:enrichment', scopes: ['read'] });
        return requests.ask(ownModels, token, {});
      }, modelSettingsOf(config));
      const parts = enrichmentService({
        ownModel: async (tenant) => (await saidBy(tenant)).models?.facets,
        ...{ db, requests, seal, onSettled, onError, onCall: countModelCalls(metrics, facets.id) },
        languageOf,
        onRejected: (reason) => metrics.rejectedFacets.inc({ reason }),
        model: outsideTransactions('model', traced('model', facets)),
        ownMetadata: async (tenant) => (await saidBy(tenant)).models?.metadata,
        metadata: metadata && outsideTransactions('model', traced('model', metadata)),
        ownSummaries: async (tenant) => (await saidBy(tenant)).models?.summaries,
        summaries: summaries && outsideTransactions('model', traced('model', summaries)),
        entitiesOf: entityModels(saidBy, {
          entities: entities && outsideTransactions('model', traced('model', entities)),
          entitiesBy: config.LLM_ENTITIES,
        }),
      });
      return { parts, module: enrichmentModule(parts.useCases), typeDefs: enrichmentTypeDefs() };
    },
  });
};
