import {
  answerStream as answerStreamType,
  type CachedPart,
  type Changes,
  CodedError,
  requireScope,
  type Requests,
  spending,
  tenantBudgets,
} from '@postmaster/contracts';
import { answerDeletions } from '@postmaster/durable';
import { type AnswerPorts, answerStream, modelFor } from './answer.js';
import { answerKey } from './cache/answer-key.js';
import { cachedAnswers } from './cache/cached-answers.js';
import { documentFreshness } from './cache/document-freshness.js';
import { planReplies } from './cache/plan-replies.js';
import { questionVectors } from './cache/question-vectors.js';
import type { LookUp } from './cache/look-up.js';
import { type FeedbackParts, feedbackService, type FeedbackServicePorts } from './feedback/feedback-service.js';
import { holdings } from './feedback/holdings.js';
import type { GradeModel } from './grade-model.js';
import { judgeAnswer } from './judge-answer.js';
import { judgeParagraph } from './judge-paragraph.js';
import { fillTexts } from './fill-texts.js';
import { outboxLedger } from './ledger/outbox-ledger.js';
import { moreLikeThis } from './more-like-this.js';
import { rerankHits, type RerankPorts } from './rerank-hits.js';
import { answerEvaluations } from './evaluation/answer-evaluations.js';
import type { AskQuestionPorts } from './evaluation/ask-question.js';
import { evaluateOwn } from './evaluation/evaluate-own.js';
import { readParents } from './read-parents.js';
import { search, type SearchPorts, type SearchTiming } from './search.js';
import { summarize } from './summarize.js';
import type { SummaryModel } from './summary-model.js';
import { searchSettings } from './search-settings.js';

export interface RetrievalPorts
  extends
    Omit<SearchPorts, 'rerank' | 'encode' | 'settings' | 'replies' | 'holds' | 'ledger'>,
    Omit<RerankPorts, 'ledger'>,
    Pick<AnswerPorts, 'model' | 'ownModel'> {
  requests: Requests;
  grader?: GradeModel;
  summarizer?: SummaryModel;
  /** Where this process hears of changed documents; without it answers are kept for some seconds only. */
  changes?: Changes;
  /** Without rows, feedback is refused, and nothing hears what models took; all else is as with them. */
  feedback?: Pick<FeedbackServicePorts, 'db' | 'now' | 'newId' | 'onError'>;
  /** Signs a caller's identity anew where work outlives its token, and what the ledger is asked; without it nobody's budget is. */
  sign?: AskQuestionPorts['sign'];
  onSearch?: (timing: SearchTiming, dropped: number) => void;
  onLookUp?: (cache: CacheName, lookUp: LookUp) => void;
}

type CacheName = CachedPart | 'answer';

export interface RetrievalUseCases {
  search: ReturnType<typeof search>;
  answerStream: ReturnType<typeof answerStream>;
  giveFeedback: FeedbackParts['giveFeedback'];
  evaluate: ReturnType<typeof evaluateOwn>;
  moreLikeThis: ReturnType<typeof moreLikeThis>;
  judgeParagraph: ReturnType<typeof judgeParagraph>;
  judgeAnswer: ReturnType<typeof judgeAnswer>;
  summarize: ReturnType<typeof summarize>;
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
  ownModel,
  grader,
  summarizer,
  changes,
  feedback,
  ...ports
}: RetrievalPorts): RetrievalService => {
  const { requests, store, sign, today = () => new Date(), now = () => performance.now() } = ports;
  const count = (cache: CacheName) => (lookUp: LookUp) => onLookUp?.(cache, lookUp);
  const freshness = documentFreshness(changes, now);
  const vectors = questionVectors({ requests, now, onLookUp: count('question-vector') });
  const replies = planReplies({ freshness, now, onLookUp: count('plan') });
  const settings = searchSettings(requests, now);
  const kept = { settings, encode: vectors, replies, holds: freshness.holds };
  const ledger =
    feedback &&
    sign &&
    outboxLedger({
      db: feedback.db,
      budgets: tenantBudgets(async (tenant) =>
        requests.ask(spending, await sign({ tenant, subject: 'service:retrieval', scopes: ['read'] }), {}),
      ),
      onError: (error) => feedback.onError(error, 'retrieval.ledger'),
    });
  const plain = search({ ...ports, ...kept, now, ledger, rerank: rerankHits({ ...ports, ledger }) });
  const seen: RetrievalUseCases['search'] = async (tenant, token, request, signal) => {
    const result = await plain(tenant, token, request, signal);
    onSearch?.(result.timing, result.dropped);
    return result;
  };
  const stream = cachedAnswers({
    stream: answerStream({
      search: seen,
      readParents: readParents(requests),
      fillTexts: fillTexts(requests),
      languageOf: ports.languageOf,
      store,
      model,
      ownModel,
      ledger,
      onFault: ports.onFault,
    }),
    keyOf: async (tenant, token, request) => {
      const [known, writer] = await Promise.all([settings(tenant, token), modelFor({ model, ownModel }, tenant)]);
      if (known.notices.length > 0 || writer.why) return undefined;
      return answerKey(request, known.settings, writer.model, today());
    },
    ...{ freshness, requests, now, onLookUp: count('answer') },
  });
  requests.answerStream(answerStreamType, (identity, request, token, signal) => {
    requireScope(identity, 'read');
    return stream(identity.tenant, token, request, signal);
  });
  const measured = { ...ports, ledger, now }; // without caches and settings: what is measured is the search itself
  answerEvaluations(measured);
  answerDeletions(requests, 'retrieval', holdings(feedback?.db));
  const parts = feedback && feedbackService({ ...feedback, store, requests, encode: vectors });
  const stop = async (): Promise<void> => void (await Promise.all([parts?.stop(), ledger?.close()]));
  return {
    search: seen,
    answerStream: stream,
    giveFeedback: parts?.giveFeedback ?? noRows,
    parts: parts && { ...parts, stop },
    evaluate: evaluateOwn(measured),
    moreLikeThis: moreLikeThis(ports),
    judgeParagraph: judgeParagraph({ ...ports, grader, ledger }),
    judgeAnswer: judgeAnswer({ ...ports, grader, ledger }),
    summarize: summarize({ ...ports, summarizer, ledger }),
  };
};

const noRows = (): Promise<never> =>
  Promise.reject(new CodedError('SERVICE_UNAVAILABLE', 'This process keeps no feedback: it has no rows.'));
