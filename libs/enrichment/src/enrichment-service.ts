import {
  documentTexts,
  encodePassages,
  enrichmentModel,
  enrichmentPause,
  type Failure,
  type IdentitySeal,
  MOST_DOCUMENT_TEXTS,
  readTexts,
  type Requests,
  spending,
  tenantBudgets,
  type TenantId,
} from '@postmaster/contracts';
import {
  answerDeadLetters,
  answerDeletions,
  type Database,
  every,
  heldInRows,
  type OnSettled,
  releaseLapsed,
  runWorker,
  type ServiceParts,
  sweepDelivered,
  type Worker,
} from '@postmaster/durable';
import { acceptParagraphs } from './accept-paragraphs.js';
import { answerMakeFacets } from './answer-make-facets.js';
import type { FacetModel } from './facet-model.js';
import { askEntities } from './entities/ask-entities.js';
import type { EntityModel } from './entities/entity-model.js';
import { answerEntityLeg, sweepGraphs } from './entities/answer-entity-leg.js';
import { exportEntities } from './entities/export-entities.js';
import { findEntities } from './entities/find-entities.js';
import { importEntities } from './entities/give-entities.js';
import { nameEntities } from './entities/name-entities.js';
import { readEntities } from './entities/read-entities.js';
import { forgetDocument, forgetOlderVersions } from './forget-document.js';
import { setPrompt } from './own-prompts/set-prompt.js';
import { showPrompts } from './own-prompts/show-prompts.js';
import { makeFacets, type MakeFacetsPorts, type OwnModel, tellGivenUp } from './make-facets.js';
import { correctMetadata } from './metadata/correct-metadata.js';
import { extractMetadata } from './metadata/extract-metadata.js';
import { answerKnownMetadata } from './metadata/known-metadata.js';
import { type MetadataModel, MOST_READ } from './metadata/metadata-model.js';
import { readExtracted } from './metadata/read-extracted.js';
import { readFacets } from './read-facets.js';
import { readRejections } from './read-rejections.js';
import { renewFacets } from './renew-facets.js';
import { modelGate } from './model-gate.js';
import { documentsLeft } from './rows/documents-left.js';
import { ASK_ENTITIES } from './rows/entity-replies.js';
import { EXTRACT_METADATA, FIND_ENTITIES, MAKE_FACETS } from './rows/paragraphs.js';
import { freeClaims } from './rows/replies.js';
import { SUMMARIZE_DOCUMENT } from './rows/summaries.js';
import { readSummaries } from './summary/read-summaries.js';
import { readWhole } from './summary/read-whole.js';
import { summarizeDocuments } from './summary/summarize-documents.js';
import type { DocumentSummaryModel } from './summary/summary-model.js';
import type { EnrichmentTables } from './rows/tables.js';

export interface EnrichmentPorts {
  db: Database<EnrichmentTables>;
  model: FacetModel;
  /** What tenants have of their own; none unless told. */
  ownModel?: OwnModel;
  /** Reads documents' metadata; rules alone where there is none. A tenant's own counts before it. */
  metadata?: MetadataModel;
  ownMetadata?: (tenant: TenantId) => Promise<MetadataModel | undefined>;
  /** Sums up documents; their own sentences do where there is none. A tenant's own counts before it. */
  summaries?: DocumentSummaryModel;
  ownSummaries?: (tenant: TenantId) => Promise<DocumentSummaryModel | undefined>;
  /** Whom a tenant has read its entities and relations; rules alone find entities where nobody is. */
  entitiesOf?: (tenant: TenantId) => Promise<EntityModel | undefined>;
  requests: Requests;
  /** Signs what ingestion is asked for. */
  seal: Pick<IdentitySeal, 'sign'>;
  /** How long work rests while the model is out; 5 s. */
  pauseMs?: number;
  /** ISO 639-1, or null where it can't be told. */
  languageOf: MakeFacetsPorts['languageOf'];
  onCall?: MakeFacetsPorts['onCall'];
  onRejected?: MakeFacetsPorts['onRejected'];
  onSettled?: OnSettled;
  onError: (error: unknown, where: string) => void;
}

export interface EnrichmentService extends ServiceParts {
  useCases: {
    readFacets: ReturnType<typeof readFacets>;
    readExtracted: ReturnType<typeof readExtracted>;
    readSummaries: ReturnType<typeof readSummaries>;
    correct: ReturnType<typeof correctMetadata>;
    readRejections: ReturnType<typeof readRejections>;
    showPrompts: ReturnType<typeof showPrompts>;
    setPrompt: ReturnType<typeof setPrompt>;
    entities: ReturnType<typeof readEntities> & ReturnType<typeof nameEntities>;
    importEntities: ReturnType<typeof importEntities>;
    exportEntities: ReturnType<typeof exportEntities>;
    /** Whether a model is asked for the entities of a tenant's documents. */
    asksEntities: (tenant: TenantId) => Promise<boolean>;
    model: FacetModel;
  };
  /** Frees what a killed process held; only when no other process can be alive. */
  recover(): Promise<void>;
}

/** As many paragraphs as calls may run are taken together; while one group is asked about, the next ones are made ready. */
const GROUPS_IN_HAND = 3;
/**
 * Few calls at once leave the model waiting sooner, or to what is told of documents while paragraphs wait: a group that is
 * checked and stored on a full machine takes as long as many calls.
 */
const LEAST_IN_HAND = 48;

/** Whose own sentences are their summaries; where a model is asked, a document's calls run one after the other, and as many documents go side by side as calls may. */
const SUMMED_TOGETHER = 4;

/** Whose entities are stored together. */
const DOCUMENTS_IN_HAND = 64;

/** Wires the enrichment service to its ports. */
export const enrichmentService = ({
  db,
  model,
  ownModel,
  metadata,
  ownMetadata,
  summaries,
  ownSummaries,
  entitiesOf = () => Promise.resolve(undefined),
  requests,
  seal,
  pauseMs,
  languageOf,
  ...ports
}: EnrichmentPorts): EnrichmentService => {
  let worker: Worker | undefined;
  let extracting: Worker | undefined;
  let summing: Worker | undefined;
  let finding: Worker | undefined;
  let askingEntities: Worker | undefined;
  let stopSweeping: (() => Promise<void>) | undefined;
  const tokenOf = (tenant: TenantId) => seal.sign({ tenant, subject: 'service:enrichment', scopes: ['read'] });
  const budgets = tenantBudgets(async (tenant) => requests.ask(spending, await tokenOf(tenant), {}));
  const pausedFor = async (tenant: TenantId): Promise<Failure | null> =>
    worker?.paused() ?? ((await isAsked(tenant)) ? await budgets.used(tenant) : null);
  const isAsked = async (tenant: TenantId): Promise<boolean> =>
    ((await ownModel?.(tenant).catch(() => undefined)) ?? model).id !== 'extractive';
  /** Where that can't be told now, the job looks again. */
  const asksEntities = (tenant: TenantId): Promise<boolean> => entitiesOf(tenant).then(Boolean, () => true);
  requests.answer(enrichmentPause, async ({ tenant }) => ({ paused: await pausedFor(tenant) }));
  requests.answer(enrichmentModel, async ({ tenant }) => ({ model: ((await ownModel?.(tenant)) ?? model).id }));
  const gate = modelGate(model.concurrency);
  const perCall = model.paragraphsPerCall ?? 1;
  const gates = perCall === 1 ? { gate } : { gate: modelGate(perCall * model.concurrency), calls: gate };
  answerDeletions(requests, 'enrichment', { ...heldInRows(db), documentsLeft: documentsLeft(db) });
  answerMakeFacets(requests, { db, budgets, model, ownModel, gate, onCall: ports.onCall });
  answerKnownMetadata(requests, db);
  answerEntityLeg(requests, db);
  const consumers = [
    acceptParagraphs(db),
    renewFacets(db, model, ownModel, entitiesOf),
    forgetDocument(db),
    forgetOlderVersions(db),
  ];
  const onRefused = (error: unknown): void => ports.onError(error, 'enrichment.dead-letters');
  answerDeadLetters(requests, 'enrichment', { db: db as Database<unknown>, consumers, onError: onRefused });
  const textsOf = readTexts({ requests, seal }, 'service:enrichment');
  const readDocuments = async (tenant: TenantId, ids: readonly string[]) => {
    const token = await tokenOf(tenant);
    return (await requests.ask(documentTexts, token, { documents: [...ids], most: MOST_READ })).documents;
  };
  const modelOf = async (tenant: TenantId) => (await ownMetadata?.(tenant)) ?? metadata;
  const encode = async (tenant: TenantId, texts: readonly string[]) => {
    const token = await tokenOf(tenant);
    return (await requests.ask(encodePassages, token, { texts: [...texts] })).vectors;
  };
  const modelsOf = async (tenant: TenantId) => ({
    languageOf,
    facets: (await ownModel?.(tenant)) ?? model,
    metadata: await modelOf(tenant),
    entities: await entitiesOf(tenant),
  });
  const many = model.id === 'extractive';
  const onFault = (error: unknown): void => ports.onError(error, 'enrichment.worker');
  return {
    consumers,
    start: () => {
      worker = runWorker({
        db,
        kind: MAKE_FACETS,
        slots: many && !ownModel ? 1 : Math.max(GROUPS_IN_HAND, Math.ceil(LEAST_IN_HAND / model.concurrency)),
        batch: many ? 64 : perCall * model.concurrency,
        work: makeFacets({
          ...{ db, model, ownModel, readTexts: textsOf, ...gates, budgets, pauseMs, languageOf, encode, onFault },
          ...{ onCall: ports.onCall, onRejected: ports.onRejected },
        }),
        storeThrown: tellGivenUp,
        onSettled: ports.onSettled,
        onError: onFault,
      });
      extracting = runWorker({
        db,
        kind: EXTRACT_METADATA,
        slots: 1,
        batch: MOST_DOCUMENT_TEXTS,
        work: extractMetadata({ db, readDocuments, modelOf, gate, budgets, pauseMs, onCall: ports.onCall }),
        onSettled: ports.onSettled,
        onError: onFault,
      });
      summing = runWorker({
        db,
        kind: SUMMARIZE_DOCUMENT,
        slots: many ? 1 : model.concurrency,
        batch: many ? SUMMED_TOGETHER : 1,
        work: summarizeDocuments({
          ...{ db, gate, budgets, pauseMs, languageOf, onCall: ports.onCall },
          readWhole: readWhole(requests, tokenOf),
          modelOf: async (tenant) => (await ownSummaries?.(tenant)) ?? summaries,
        }),
        onSettled: ports.onSettled,
        onError: onFault,
      });
      finding = runWorker({
        ...{ db, kind: FIND_ENTITIES, slots: 1, batch: DOCUMENTS_IN_HAND },
        work: findEntities({ db, isAsked: asksEntities, onRejected: ports.onRejected }),
        onSettled: ports.onSettled,
        onError: onFault,
      });
      askingEntities = runWorker({
        ...{ db, kind: ASK_ENTITIES, slots: many ? 1 : model.concurrency, batch: 1 },
        work: askEntities({ db, gate, budgets, pauseMs, onCall: ports.onCall, modelOf: entitiesOf }),
        onSettled: ports.onSettled,
        onError: onFault,
      });
      stopSweeping = every(
        3_600_000,
        () => Promise.all([sweepDelivered(db as Database<unknown>), sweepGraphs(db)]),
        (error) => ports.onError(error, 'enrichment.timer'),
      );
    },
    stop: async (graceMs) => {
      await Promise.all([worker, extracting, summing, finding, askingEntities].map((one) => one?.stop(graceMs)));
      await stopSweeping?.();
    },
    recover: async () => {
      await freeClaims(db);
      for (const kind of [MAKE_FACETS, EXTRACT_METADATA, SUMMARIZE_DOCUMENT, FIND_ENTITIES, ASK_ENTITIES])
        await releaseLapsed(db as Database<unknown>, kind, true);
    },
    useCases: {
      readFacets: readFacets(db),
      readExtracted: readExtracted(db),
      readSummaries: readSummaries(db),
      readRejections: readRejections(db),
      entities: { ...readEntities(db), ...nameEntities(db) },
      importEntities: importEntities(db),
      exportEntities: exportEntities(db),
      correct: correctMetadata(db),
      showPrompts: showPrompts(db),
      asksEntities,
      setPrompt: setPrompt({ db, modelsOf, budgets }),
      model,
    },
  };
};
