import { exportFeedback as exportFeedbackType, type NewId, requireScope, type Requests } from '@postmaster/contracts';
import { answerDeadLetters, type Database, every, type ServiceParts, sweepDelivered } from '@postmaster/durable';
import type { EncodeQuestion } from '../cache/question-vectors.js';
import type { CandidateStore } from '../candidate-store.js';
import type { RetrievalTables } from '../rows/tables.js';
import { exportFeedback } from './export-feedback.js';
import { forgetFeedback } from './forget-feedback.js';
import { giveFeedback } from './give-feedback.js';

export interface FeedbackServicePorts {
  db: Database<RetrievalTables>;
  store: CandidateStore;
  encode: EncodeQuestion;
  requests: Requests;
  now: () => Date;
  newId: NewId;
  onError: (error: unknown, where: string) => void;
}

export interface FeedbackParts extends ServiceParts {
  giveFeedback: ReturnType<typeof giveFeedback>;
  /** Nothing is held over a kill. */
  recover(): Promise<void>;
}

/** The part of retrieval that has rows: a search needs none of it. */
export const feedbackService = ({ onError, ...ports }: FeedbackServicePorts): FeedbackParts => {
  const { db, requests } = ports;
  const rows = db as Database<unknown>; // what is the same in every service's rows
  const consumers = [forgetFeedback(db)];
  answerDeadLetters(requests, 'retrieval', {
    ...{ db: rows, consumers, onError: (error: unknown) => onError(error, 'retrieval.dead-letters') },
  });
  const lines = exportFeedback(ports);
  requests.answerStream(exportFeedbackType, (identity, choice, token) => {
    requireScope(identity, 'admin');
    return lines(identity.tenant, token, choice);
  });
  let stopSweeping: (() => Promise<void>) | undefined;
  return {
    giveFeedback: giveFeedback(ports),
    consumers,
    start: () => {
      stopSweeping = every(
        3_600_000,
        () => sweepDelivered(rows),
        (error) => onError(error, 'retrieval.timer'),
      );
    },
    stop: async () => {
      await stopSweeping?.();
    },
    recover: () => Promise.resolve(),
  };
};
