import { answerStream as answerStreamType, requireScope, type Requests } from '@postmaster/contracts';
import { type AnswerPorts, answerStream } from './answer.js';
import { rerankHits, type RerankPorts } from './rerank-hits.js';
import { answerEvaluations } from './evaluation/answer-evaluations.js';
import { evaluateOwn } from './evaluation/evaluate-own.js';
import { search, type SearchPorts, type SearchTiming } from './search.js';

export interface RetrievalPorts
  extends Omit<SearchPorts, 'rerank'>, RerankPorts, Pick<AnswerPorts, 'model' | 'ownModel'> {
  requests: Requests;
  onSearch?: (timing: SearchTiming, dropped: number) => void;
}

export interface RetrievalUseCases {
  search: ReturnType<typeof search>;
  answerStream: ReturnType<typeof answerStream>;
  evaluate: ReturnType<typeof evaluateOwn>;
}

/** Wires the retrieval service to its ports; it has no rows and no workers. */
export const retrievalService = ({ onSearch, model, ownModel, ...ports }: RetrievalPorts): RetrievalUseCases => {
  const plain = search({ ...ports, rerank: rerankHits(ports) });
  const seen: RetrievalUseCases['search'] = async (tenant, token, request, signal) => {
    const result = await plain(tenant, token, request, signal);
    onSearch?.(result.timing, result.dropped);
    return result;
  };
  const stream = answerStream({ search: seen, languageOf: ports.languageOf, model, ownModel, onFault: ports.onFault });
  ports.requests.answerStream(answerStreamType, (identity, request, token, signal) => {
    requireScope(identity, 'read');
    return stream(identity.tenant, token, request, signal);
  });
  const measured = { ...ports, now: ports.now ?? (() => performance.now()) };
  answerEvaluations(measured);
  return { search: seen, answerStream: stream, evaluate: evaluateOwn(measured) };
};
