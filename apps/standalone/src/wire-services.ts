import { randomBytes } from 'node:crypto';
import { localRequests, type OutboxDelivery, outboxDelivery } from '@postmaster/bus';
import {
  enrichmentPause,
  type IdentitySeal,
  identitySeal,
  newId,
  NO_PRICES,
  ownModels,
  type Requests,
} from '@postmaster/contracts';
import { type Database, databaseOf, every, outsideTransactions, sweepDelivered } from '@postmaster/durable';
import { EMBEDDING_SCHEMA, embeddingService, type EmbeddingTables } from '@postmaster/embedding';
import { embeddingModule, embeddingTypeDefs } from '@postmaster/embedding/nest';
import { ENRICHMENT_SCHEMA, enrichmentService, type EnrichmentTables } from '@postmaster/enrichment';
import { enrichmentModule, enrichmentTypeDefs } from '@postmaster/enrichment/nest';
import {
  INGESTION_SCHEMA,
  ingestionService,
  type IngestionTables,
  type IngestionUseCases,
} from '@postmaster/ingestion';
import { ingestionModule, ingestionTypeDefs } from '@postmaster/ingestion/nest';
import { entityModels, modelProbe, modelSettingsOf, tenantModels, timedRerankers } from '@postmaster/models';
import { RETRIEVAL_SCHEMA, retrievalService, type RetrievalTables } from '@postmaster/retrieval';
import { retrievalModule, retrievalTypeDefs } from '@postmaster/retrieval/nest';
import {
  countModelCalls,
  type Log,
  type Metrics,
  type RunningSubgraph,
  startSubgraph,
  tellEvents,
  tellIndexRuns,
  tellWork,
} from '@postmaster/service';
import {
  answerTenantRequests,
  eraseTenants,
  keepCosts,
  type KeyPorts,
  newSecret,
  secretBox,
  sweepWrites,
  TENANTS_SCHEMA,
  type TenantsTables,
  tenantsUseCases,
} from '@postmaster/tenants';
import { tenantsModule, tenantsTypeDefs } from '@postmaster/tenants/nest';
import type { Neighbours } from './open-neighbours.js';
import type { OpenData } from './open-data.js';
import type { StandaloneConfig } from './standalone-config.js';

export interface Wired {
  seal: IdentitySeal;
  requests: Requests;
  bus: OutboxDelivery;
  subgraphs: readonly RunningSubgraph[];
  ingestion: IngestionUseCases;
  tenants: KeyPorts;
  /** Frees what a killed process held, then lets events, workers and timers run. */
  start(): Promise<void>;
  stopWorkers(): Promise<void>;
  /** Jobs that have ended since the start. */
  settled(): number;
}

/** All five services of this process, each a subgraph of its own, joined by the outbox delivery and local requests. */
export const wireServices = async (
  config: StandaloneConfig,
  data: OpenData,
  neighbours: Neighbours,
  log: Log,
  metrics: Metrics,
): Promise<Wired> => {
  const now = (): Date => new Date();
  const seal = identitySeal(randomBytes(32));
  const requests = localRequests(seal);
  const rows = <T>(schema: string): Database<T> => databaseOf<T>(data.database.kysely, schema);
  const dbs = {
    tenants: rows<TenantsTables>(TENANTS_SCHEMA),
    ingestion: rows<IngestionTables>(INGESTION_SCHEMA),
    enrichment: rows<EnrichmentTables>(ENRICHMENT_SCHEMA),
    embedding: rows<EmbeddingTables>(EMBEDDING_SCHEMA),
    retrieval: rows<RetrievalTables>(RETRIEVAL_SCHEMA),
  };
  const { encoder, store, blobs, parser, fetchDocument, files, models, reranker } = guarded(neighbours);
  let settled = 0;
  const told = tellWork(metrics, log);
  const seen = {
    ...told,
    onSettled: (...settlement: Parameters<typeof told.onSettled>): void => {
      settled++;
      told.onSettled(...settlement);
    },
  };

  const bus = outboxDelivery({
    services: dbs as Record<string, Database<unknown>>, // delivery sees the outbox alone
    ...tellEvents(metrics, log),
  });

  const ingestion = ingestionService({
    ...{ db: dbs.ingestion, blobs, parser, fetchDocument, files, requests, seal, now, newId, ...seen },
    limits: { timeoutMs: config.PARSE_TIMEOUT_MS, memoryMb: config.PARSE_MEMORY_MB },
    maxBytes: config.MAX_DOCUMENT_BYTES,
    parsers: neighbours.parsers,
    configured: config.FOLDERS,
    rescanMs: config.FOLDER_RESCAN_SECONDS * 1_000,
  });
  const modelSettings = modelSettingsOf(config);
  const saidBy = tenantModels(async (tenant) => {
    const token = await seal.sign({ tenant, subject: 'service:models', scopes: ['read'] });
    return requests.ask(ownModels, token, {});
  }, modelSettings);
  const enrichment = enrichmentService({
    ownModel: async (tenant) => (await saidBy(tenant)).models?.facets,
    ownMetadata: async (tenant) => (await saidBy(tenant)).models?.metadata,
    metadata: models.metadata,
    ownSummaries: async (tenant) => (await saidBy(tenant)).models?.summaries,
    summaries: models.summaries,
    entitiesOf: entityModels(saidBy, { entities: models.entities, entitiesBy: config.LLM_ENTITIES }),
    ...{ db: dbs.enrichment, model: models.facets, requests, seal, ...seen },
    languageOf: neighbours.languageOf,
    onCall: countModelCalls(metrics, models.facets.id),
    onRejected: (reason) => metrics.rejectedFacets.inc({ reason }),
  });
  const embedding = embeddingService({
    ...{ db: dbs.embedding, encoder, store, requests, seal, ...seen },
    reconcileEveryMs: config.RECONCILE_HOURS * 3_600_000,
    onRun: tellIndexRuns(metrics, log),
    onLookUp: (outcome) => metrics.cacheLookups.inc({ cache: 'passage-vector', outcome }),
  });
  const box = secretBox([...secretsOf(config), data.secretsKey]);
  const tenants = {
    db: dbs.tenants,
    newId,
    now,
    newSecret,
    requests,
    seal,
    answers: box,
    secrets: box,
    probe: modelProbe(modelSettings),
    prices: config.LLM_PRICES,
    onError: (error: unknown) => seen.onError(error, 'tenants.deletions'),
  };
  answerTenantRequests(tenants);
  const retrieval = retrievalService({
    ...{ requests, sign: seal.sign, store, languageOf: neighbours.languageOf },
    ...{ model: models.answers, planner: models.plans, grader: models.grades, summarizer: models.answers },
    ownModel: async (tenant) => (await saidBy(tenant)).models?.answers,
    rerankers: timedRerankers(config, reranker, models.judge),
    hold: () => neighbours.encoder.hold(),
    onSearch: (timing) => {
      for (const [phase, ms] of Object.entries(timing)) metrics.searchSeconds.observe({ phase }, ms / 1000);
    },
    onFault: (err) => log.error({ err }, 'a model of retrieval failed'),
    changes: bus,
    feedback: { db: dbs.retrieval, now, newId, onError: seen.onError },
    onLookUp: (cache, outcome) => metrics.cacheLookups.inc({ cache, outcome }),
  });

  const paused = async (token: string) => (await requests.ask(enrichmentPause, token, {})).paused;
  const parts = [ingestion, enrichment, embedding, ...(retrieval.parts ? [retrieval.parts] : [])];
  bus.subscribe(keepCosts(dbs.tenants, config.LLM_PRICES ?? NO_PRICES));
  for (const part of parts) for (const consumer of part.consumers) bus.subscribe(consumer);
  const subgraph = (name: string, module: ReturnType<typeof tenantsModule>, typeDefs: string) =>
    startSubgraph({ name, module, typeDefs, seal, log });
  let stopErasing = async (): Promise<void> => {};
  const subgraphs = [
    await subgraph('tenants', tenantsModule(tenantsUseCases(tenants)), tenantsTypeDefs()),
    await subgraph('ingestion', ingestionModule({ ...ingestion.useCases, paused, now, seal }), ingestionTypeDefs()),
    await subgraph('enrichment', enrichmentModule(enrichment.useCases), enrichmentTypeDefs()),
    await subgraph('embedding', embeddingModule(embedding.useCases), embeddingTypeDefs()),
    await subgraph('retrieval', retrievalModule(retrieval), retrievalTypeDefs()),
  ];
  let stopSweeping: (() => Promise<void>) | undefined;
  return {
    ...{ seal, requests, bus, subgraphs, tenants, ingestion: ingestion.useCases },
    start: async () => {
      for (const part of parts) await part.recover();
      bus.start();
      for (const part of parts) part.start();
      stopErasing = eraseTenants(tenants);
      const forget = sweepWrites(tenants);
      const sweep = () => Promise.all([forget(), sweepDelivered(dbs.tenants as Database<unknown>)]);
      stopSweeping = every(SWEEP_MS, sweep, (error) => seen.onError(error, 'tenants.timer'));
    },
    settled: () => settled,
    stopWorkers: async () => {
      await Promise.all([stopErasing(), ...parts.map((part) => part.stop()), stopSweeping?.()]);
      await bus.stop();
    },
  };
};

const SWEEP_MS = 3_600_000;

const secretsOf = ({ POSTMASTER_SECRETS_KEY: secrets = [] }: StandaloneConfig): Uint8Array[] =>
  secrets.map((secret) => Buffer.from(secret));

/** Every port that does I/O refuses to be called while a transaction is open. */
const guarded = (neighbours: Neighbours): Neighbours => ({
  ...neighbours,
  encoder: outsideTransactions('encoder', neighbours.encoder),
  store: outsideTransactions('store', neighbours.store),
  blobs: outsideTransactions('blobs', neighbours.blobs),
  parser: outsideTransactions('parser', neighbours.parser),
  files: outsideTransactions('files', neighbours.files),
  models: {
    ...neighbours.models,
    facets: outsideTransactions('model', neighbours.models.facets),
    metadata: neighbours.models.metadata && outsideTransactions('model', neighbours.models.metadata),
    summaries: neighbours.models.summaries && outsideTransactions('model', neighbours.models.summaries),
    entities: neighbours.models.entities && outsideTransactions('model', neighbours.models.entities),
  },
  reranker: neighbours.reranker && outsideTransactions('reranker', neighbours.reranker),
});
