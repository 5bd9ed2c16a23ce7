import {
  answerStream as answerStreamType,
  type Changes,
  CodedError,
  requireScope,
  type Requests,
} from '@postmaster/contracts';
import { type AnswerPorts, answerStream } from './answer.js';
import { answerKey } from './cache/answer-key.js';
import { cachedAnswers } from './cache/cached-answers.js';
import { documentFreshness } from './cache/document-freshness.js';
import { questionVectors } from './cache/question-vectors.js';
import type { LookUp } from './cache/remember.js';
import { type FeedbackParts, feedbackService, type FeedbackServicePorts } from './feedback/feedback-service.js';
import { rerankHits, type RerankPorts } from './rerank-hits.js';
import { search, type SearchPorts, type SearchTiming } from './search.js';
import { searchSettings } from './search-settings.js';

export interface RetrievalPorts
  extends Omit<SearchPorts, 'rerank' | 'encode' | 'settings'>, RerankPorts, Pick<AnswerPorts, 'model'> {
  requests: Requests;
  /** Where this process hears of changed documents; without it answers are kept for some seconds only. */
  changes?: Changes;
  /** Without rows, feedback is refused; all else is as with them. */
  feedback?: Pick<FeedbackServicePorts, 'db' | 'now' | 'newId' | 'onError'>;
  onSearch?: (timing: SearchTiming, dropped: number) => void;
  onLookUp?: (cache: 'question-vector' | 'plan' | 'answer', lookUp: LookUp) => void;
}

export interface RetrievalUseCases {
  search: ReturnType<typeof search>;
  answerStream: ReturnType<typeof answerStream>;
  giveFeedback: FeedbackParts['giveFeedback'];
}

export interface RetrievalService extends RetrievalUseCases {
  /** Of feedback, where it has rows. */
  parts?: FeedbackParts;
}

/** Wires the retrieval service to its ports. Questions need no rows: those are of feedback alone. */
export const retrievalService = ({
  onSearch,
  onLookUp,
  model,
  changes,
  feedback,
  ...ports
}: RetrievalPorts): RetrievalService => {
  const { requests, now = () => performance.now() } = ports;
  const vectors = questionVectors({ requests, now, onLookUp: (lookUp) => onLookUp?.('question-vector', lookUp) });
  const settings = searchSettings(requests, now);
  const plain = search({ ...ports, now, settings, encode: vectors, rerank: rerankHits(ports) });
  const seen: RetrievalUseCases['search'] = async (tenant, token, request, signal) => {
    const result = await plain(tenant, token, request, signal);
    onSearch?.(result.timing, result.dropped);
    return result;
  };
  const stream = cachedAnswers({
    stream: answerStream({ search: seen, languageOf: ports.languageOf, model, onFault: ports.onFault }),
    keyOf: async (tenant, token, request) => {
      const known = await settings(tenant, token);
      return known.notices.length === 0 ? answerKey(request, known.settings, model) : undefined;
    },
    ...{ freshness: documentFreshness(changes, now), requests, now },
    onLookUp: (lookUp) => onLookUp?.('answer', lookUp),
  });
  requests.answerStream(answerStreamType, (identity, request, token, signal) => {
    requireScope(identity, 'read');
    return stream(identity.tenant, token, request, signal);
  });
  const { store } = ports;
  const parts = feedback && feedbackService({ ...feedback, store, requests, encode: vectors });
  return { search: seen, answerStream: stream, giveFeedback: parts?.giveFeedback ?? noRows, parts };
};

const noRows = (): Promise<never> =>
  Promise.reject(new CodedError('SERVICE_UNAVAILABLE', 'This process keeps no feedback: it has no rows.'));
