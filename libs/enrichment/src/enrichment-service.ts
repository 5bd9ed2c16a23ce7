import {
  enrichmentModel,
  enrichmentPause,
  type Failure,
  type IdentitySeal,
  readTexts,
  type Requests,
  spending,
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
import { forgetDocument, forgetOlderVersions } from './forget-document.js';
import { makeFacets, type MakeFacetsPorts, type OwnModel, tellGivenUp } from './make-facets.js';
import { readFacets } from './read-facets.js';
import { renewFacets } from './renew-facets.js';
import { modelGate } from './model-gate.js';
import { tenantBudgets } from './tenant-budgets.js';
import { documentsLeft } from './rows/documents-left.js';
import { MAKE_FACETS } from './rows/paragraphs.js';
import { freeClaims } from './rows/replies.js';
import type { EnrichmentTables } from './rows/tables.js';

export interface EnrichmentPorts {
  db: Database<EnrichmentTables>;
  model: FacetModel;
  /** What tenants have of their own; none unless told. */
  ownModel?: OwnModel;
  requests: Requests;
  /** Signs what ingestion is asked for. */
  seal: Pick<IdentitySeal, 'sign'>;
  /** How long work rests while the model is out; 5 s. */
  pauseMs?: number;
  onCall?: MakeFacetsPorts['onCall'];
  onSettled?: OnSettled;
  onError: (error: unknown, where: string) => void;
}

export interface EnrichmentService extends ServiceParts {
  useCases: { readFacets: ReturnType<typeof readFacets>; model: FacetModel };
  /** Frees what a killed process held; only when no other process can be alive. */
  recover(): Promise<void>;
}

/** As many paragraphs as calls may run are taken together; while one group is asked about, the next ones are made ready. */
const GROUPS_IN_HAND = 3;

/** Wires the enrichment service to its ports. */
export const enrichmentService = ({
  db,
  model,
  ownModel,
  requests,
  seal,
  pauseMs,
  ...ports
}: EnrichmentPorts): EnrichmentService => {
  let worker: Worker | undefined;
  let stopSweeping: (() => Promise<void>) | undefined;
  const tokenOf = (tenant: TenantId) => seal.sign({ tenant, subject: 'service:enrichment', scopes: ['read'] });
  const budgets = tenantBudgets(async (tenant) => requests.ask(spending, await tokenOf(tenant), {}));
  const pausedFor = async (tenant: TenantId): Promise<Failure | null> =>
    worker?.paused() ?? ((await isAsked(tenant)) ? await budgets.used(tenant) : null);
  const isAsked = async (tenant: TenantId): Promise<boolean> =>
    ((await ownModel?.(tenant).catch(() => undefined)) ?? model).id !== 'extractive';
  requests.answer(enrichmentPause, async ({ tenant }) => ({ paused: await pausedFor(tenant) }));
  requests.answer(enrichmentModel, async ({ tenant }) => ({ model: ((await ownModel?.(tenant)) ?? model).id }));
  const gate = modelGate(model.concurrency);
  answerDeletions(requests, 'enrichment', { ...heldInRows(db), documentsLeft: documentsLeft(db) });
  answerMakeFacets(requests, { db, budgets, model, ownModel, gate, onCall: ports.onCall });
  const consumers = [
    acceptParagraphs(db),
    renewFacets(db, model, ownModel),
    forgetDocument(db),
    forgetOlderVersions(db),
  ];
  const onRefused = (error: unknown): void => ports.onError(error, 'enrichment.dead-letters');
  answerDeadLetters(requests, 'enrichment', { db: db as Database<unknown>, consumers, onError: onRefused });
  const textsOf = readTexts({ requests, seal }, 'service:enrichment');
  const many = model.id === 'extractive';
  const onFault = (error: unknown): void => ports.onError(error, 'enrichment.worker');
  return {
    consumers,
    start: () => {
      worker = runWorker({
        db,
        kind: MAKE_FACETS,
        slots: many && !ownModel ? 1 : GROUPS_IN_HAND,
        batch: many ? 64 : model.concurrency,
        work: makeFacets({
          ...{ db, model, ownModel, readTexts: textsOf, gate, budgets, pauseMs, onFault },
          onCall: ports.onCall,
        }),
        storeThrown: tellGivenUp,
        onSettled: ports.onSettled,
        onError: onFault,
      });
      stopSweeping = every(
        3_600_000,
        () => sweepDelivered(db as Database<unknown>),
        (error) => ports.onError(error, 'enrichment.timer'),
      );
    },
    stop: async (graceMs) => {
      await Promise.all([worker?.stop(graceMs), stopSweeping?.()]);
    },
    recover: async () => {
      await freeClaims(db);
      await releaseLapsed(db as Database<unknown>, MAKE_FACETS, true);
    },
    useCases: { readFacets: readFacets(db), model },
  };
};
