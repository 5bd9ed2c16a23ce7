import { answerStream as answerStreamType, requireScope, type Requests } from '@postmaster/contracts';
import { type AnswerPorts, answerStream } from './answer.js';
import type { GradeModel } from './grade-model.js';
import { judgeAnswer } from './judge-answer.js';
import { judgeParagraph } from './judge-paragraph.js';
import { moreLikeThis } from './more-like-this.js';
import { rerankHits, type RerankPorts } from './rerank-hits.js';
import { answerEvaluations } from './evaluation/answer-evaluations.js';
import { evaluateOwn } from './evaluation/evaluate-own.js';
import { readParents } from './read-parents.js';
import { search, type SearchPorts, type SearchTiming } from './search.js';
import { summarize } from './summarize.js';
import type { SummaryModel } from './summary-model.js';

export interface RetrievalPorts extends Omit<SearchPorts, 'rerank'>, RerankPorts, Pick<AnswerPorts, 'model'> {
  requests: Requests;
  grader?: GradeModel;
  summarizer?: SummaryModel;
  onSearch?: (timing: SearchTiming, dropped: number) => void;
}

export interface RetrievalUseCases {
  search: ReturnType<typeof search>;
  answerStream: ReturnType<typeof answerStream>;
  evaluate: ReturnType<typeof evaluateOwn>;
  moreLikeThis: ReturnType<typeof moreLikeThis>;
  judgeParagraph: ReturnType<typeof judgeParagraph>;
  judgeAnswer: ReturnType<typeof judgeAnswer>;
  summarize: ReturnType<typeof summarize>;
}

/** Wires the retrieval service to its ports; it has no rows and no workers. */
export const retrievalService = ({
  onSearch,
  model,
  grader,
  summarizer,
  ...ports
}: RetrievalPorts): RetrievalUseCases => {
  const plain = search({ ...ports, rerank: rerankHits(ports) });
  const seen: RetrievalUseCases['search'] = async (tenant, token, request, signal) => {
    const result = await plain(tenant, token, request, signal);
    onSearch?.(result.timing, result.dropped);
    return result;
  };
  const stream = answerStream({
    search: seen,
    readParents: readParents(ports.requests),
    languageOf: ports.languageOf,
    store: ports.store,
    model,
    onFault: ports.onFault,
  });
  ports.requests.answerStream(answerStreamType, (identity, request, token, signal) => {
    requireScope(identity, 'read');
    return stream(identity.tenant, token, request, signal);
  });
  const measured = { ...ports, now: ports.now ?? (() => performance.now()) };
  answerEvaluations(measured);
  return {
    search: seen,
    answerStream: stream,
    evaluate: evaluateOwn(measured),
    moreLikeThis: moreLikeThis(ports),
    judgeParagraph: judgeParagraph({ ...ports, grader }),
    judgeAnswer: judgeAnswer({ ...ports, grader }),
    summarize: summarize({ ...ports, summarizer }),
  };
};
