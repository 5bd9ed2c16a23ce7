import { type IdentitySeal, readTexts, type Requests } from '@postmaster/contracts';
import {
  answerDeadLetters,
  answerDeletions,
  type Database,
  every,
  type OnSettled,
  releaseLapsed,
  runWorker,
  type ServiceParts,
  sweepDelivered,
  type Worker,
} from '@postmaster/durable';
import { answerEncodePassages } from './encode-passages.js';
import { answerServingIndex } from './answer-serving-index.js';
import { answerEncodeQuestion } from './encode-question.js';
import { answerEvaluations, sweepEvaluations } from './hold-evaluations.js';
import type { Encoder } from './encoder.js';
import { type IndexUpkeep, indexUpkeep, startUpkeep, type UpkeepPorts } from './index-upkeep.js';
import { holdings } from './holdings.js';
import { indexParagraphs, tell } from './index-paragraphs.js';
import {
  acceptActivation,
  acceptDeletion,
  acceptFacets,
  acceptMetadata,
  acceptSummary,
  acceptText,
} from './keep-points.js';
import { keptPassages, type KeptPassagesPorts } from './kept-passages.js';
import type { PointStore } from './point-store.js';
import { projector } from './project.js';
import { readVectors } from './read-vectors.js';
import { REBUILD, RECONCILE } from './rows/index-runs.js';
import { INDEX_FACETS, INDEX_TEXT, SWAP } from './rows/keep-newer.js';
import type { EmbeddingTables } from './rows/tables.js';
import { swapVersions } from './swap-versions.js';
import { servingIndex } from './tenant-index.js';

export interface EmbeddingPorts extends Pick<UpkeepPorts, 'reconcileEveryMs' | 'graceMs' | 'leaseMs' | 'onRun'> {
  db: Database<EmbeddingTables>;
  encoder: Encoder;
  store: PointStore;
  requests: Requests;
  /** What kind of store it is, for who asks; LanceDB unless told. */
  storeType?: 'lancedb' | 'qdrant';
  /** Signs what ingestion is asked for. */
  seal: Pick<IdentitySeal, 'sign'>;
  /** Whether questions are encoded here, as unless told, or by other replicas alone. */
  answersQuestions?: boolean;
  /** Whether passages of other services are encoded here, as unless told: bulk work, not for replicas of questions alone. */
  encodesPassages?: boolean;
  /** Whether evaluations are filled here, as unless told: replicas for questions alone don't. */
  holdsEvaluations?: boolean;
  /** How long work rests while the encoder or the index needs the operator; 5 s. */
  pauseMs?: number;
  /** What the vectors of the last passages may take in memory; 16 MB. */
  passageBytes?: number;
  /** Hears of each passage whether its vector was at hand. */
  onLookUp?: KeptPassagesPorts['onLookUp'];
  onSettled?: OnSettled;
  onError: (error: unknown, where: string) => void;
}

export interface EmbeddingService extends ServiceParts {
  useCases: { readVectors: ReturnType<typeof readVectors>; encoder: Encoder; upkeep: IndexUpkeep };
  /** Frees what a killed process held; only when no other process can be alive. */
  recover(): Promise<void>;
}

/** However much text is waiting, facets get a turn this often. */
const FACETS_TURN_MS = 2_000;
/** How often abandoned evaluations are looked for. */
const EVALUATIONS_MS = 600_000;

/** Wires the embedding service to its ports. */
export const embeddingService = ({
  db,
  encoder,
  store,
  requests,
  seal,
  pauseMs,
  ...ports
}: EmbeddingPorts): EmbeddingService => {
  const index = servingIndex(db, encoder);
  const passages = keptPassages(encoder, { bytes: ports.passageBytes, onLookUp: ports.onLookUp });
  const texts = readTexts({ requests, seal }, 'service:embedding');
  const project = projector({ db, encoder: passages, store, readTexts: texts });
  if (ports.answersQuestions ?? true) {
    answerEncodeQuestion(requests, encoder, index);
    answerServingIndex(requests, index, ports.storeType);
  }
  if (ports.encodesPassages ?? true) answerEncodePassages(requests, passages);
  if (ports.holdsEvaluations ?? true) answerEvaluations(requests, { db, encoder, store });
  if (ports.encodesPassages ?? true) answerDeletions(requests, 'embedding', holdings({ db, store, encoder }));
  const consumers = [
    ...[acceptText(db), acceptFacets(db), acceptMetadata(db), acceptSummary(db)],
    ...[acceptActivation(db), acceptDeletion(db)],
  ];
  const onRefused = (error: unknown): void => ports.onError(error, 'embedding.dead-letters');
  answerDeadLetters(requests, 'embedding', { db: db as Database<unknown>, consumers, onError: onRefused });
  let workers: Worker[] = [];
  let stopTimers: (() => Promise<unknown>) | undefined;
  const common = {
    db,
    onSettled: ports.onSettled,
    onError: (error: unknown) => ports.onError(error, 'embedding.worker'),
  };
  return {
    consumers,
    start: () => {
      const text = runWorker({
        ...common,
        kind: INDEX_TEXT,
        slots: 2,
        batch: 32,
        work: indexParagraphs({ project, pauseMs }, 'text'),
        storeThrown: (tx, tenant, held) => tell(tx, tenant, 'text', held),
      });
      let turn = 0;
      const facets = runWorker({
        ...common,
        kind: INDEX_FACETS,
        slots: 2,
        batch: 32,
        admit: () => {
          const admitted = text.idle() || Date.now() - turn >= FACETS_TURN_MS;
          if (admitted) turn = Date.now();
          return admitted;
        },
        work: indexParagraphs({ project, pauseMs }, 'facets'),
        storeThrown: (tx, tenant, held) => tell(tx, tenant, 'facets', held),
      });
      const swap = runWorker({
        ...common,
        kind: SWAP,
        slots: 2,
        batch: 1,
        work: swapVersions({ db, project, pauseMs }),
      });
      const upkeep = startUpkeep(
        { ...ports, db, encoder, store, project, pauseMs },
        common,
        () => !text.idle() || !facets.idle(),
      );
      workers = [text, facets, swap, ...upkeep.workers];
      const stopSweeping = every(
        3_600_000,
        () => sweepDelivered(db as Database<unknown>),
        (error) => ports.onError(error, 'embedding.timer'),
      );
      const onTimer = (error: unknown): void => ports.onError(error, 'embedding.evaluations');
      const stopDropping = every(EVALUATIONS_MS, () => sweepEvaluations({ db, store }), onTimer);
      stopTimers = () => Promise.all([stopSweeping(), stopDropping(), upkeep.stop()]);
    },
    stop: async (graceMs) => {
      await Promise.all([...workers.map((worker) => worker.stop(graceMs)), stopTimers?.()]);
    },
    recover: async () => {
      for (const kind of [INDEX_TEXT, INDEX_FACETS, SWAP, RECONCILE, REBUILD])
        await releaseLapsed(db as Database<unknown>, kind, true);
      await sweepEvaluations({ db, store }, 0); // whoever measured has lost its server
    },
    useCases: { readVectors: readVectors(db), encoder, upkeep: indexUpkeep({ db, encoder }) },
  };
};
