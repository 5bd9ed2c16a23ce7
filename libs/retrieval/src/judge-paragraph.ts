import {
  CodedError,
  encodeQuestion,
  failureOf,
  type Judgement,
  LEGS,
  type Requests,
  type TenantId,
} from '@postmaster/contracts';
import type { Candidate, CandidateStore } from './candidate-store.js';
import { checkQuestion } from './check-request.js';
import { fillTexts } from './fill-texts.js';
import type { GradeModel, Graded } from './grade-model.js';
import { type SaidOfSources, saidOfSources, shownSource } from './hostile-sources.js';
import { judgeTexts, reasonOf } from './judge-texts.js';
import { type ModelLedger, onBudget, type OnPaid } from './ledger/model-ledger.js';
import { holds, legible, weighedWords } from './question-words.js';
import { relevanceFeatures, relevanceOf } from './relevance.js';

export interface JudgePorts {
  requests: Requests;
  store: Pick<CandidateStore, 'complete' | 'read'>;
  languageOf: (text: string) => string | null;
  /** Without one, grades come from the calibrated relevance. */
  grader?: GradeModel;
  /** Whose budget is used up gets those too; nobody's, unless told. */
  ledger?: ModelLedger;
  /** Where a failure of the model that no code foresees is to be seen. */
  onFault?: (error: unknown) => void;
}

/** Who graded where no model did. */
export const CALIBRATED = 'calibrated';

/** Grade 1 for a relevance of 0, 10 for one of 1, even steps between. */
export const gradeOf = (relevance: number): number => 1 + Math.round(9 * Math.min(1, Math.max(0, relevance)));

/**
 * How well a paragraph answers a question: 1…10, with the reason; by the model, else by the calibrated relevance of the
 * paragraph as the only one. Throws QUERY_EMPTY, QUERY_TOO_LONG, NOT_FOUND, and what keeps the question from being
 * encoded; a model that fails is a notice.
 */
export const judgeParagraph =
  (ports: JudgePorts) =>
  async (
    tenant: TenantId,
    token: string,
    request: { query: string; paragraph: string },
    signal?: AbortSignal,
  ): Promise<Judgement> => {
    const query = checkQuestion(request.query);
    const { vector, index, encoder } = await ports.requests.ask(encodeQuestion, token, { text: query });
    const probe = { vector, text: query, legs: LEGS };
    const completed = await ports.store.complete(tenant, index, probe, [request.paragraph]);
    const [candidate] = (await fillTexts(ports.requests)(token, completed)).filled;
    if (!candidate)
      throw new CodedError('NOT_FOUND', `There is no paragraph "${request.paragraph}".`, { field: 'paragraph' });
    const language = ports.languageOf(query) ?? candidate.payload.language;
    return byModel(
      ports,
      tenant,
      (model, onPaid) => model.judge(query, shownSource(candidate.payload), language ?? 'en', signal, onPaid),
      () => calibrated(query, encoder, language, candidate),
      saidOfSources([candidate.payload], [query]),
      signal,
    );
  };

const calibrated = (query: string, encoder: string, language: string | null, candidate: Candidate): Graded => {
  const { payload, scores, matched } = candidate;
  const words = weighedWords(query);
  const facets = [...payload.simpleQuestions, ...payload.complexQuestions, payload.context, payload.scope];
  const heard = legible([payload.title, ...payload.trail, payload.text, ...facets].join(' '));
  const [simple, complex] = [scores.simple_questions, scores.complex_questions];
  const nearest =
    (simple ?? -1) >= (complex ?? -1)
      ? payload.simpleQuestions[matched.simple_questions ?? 0]
      : payload.complexQuestions[matched.complex_questions ?? 0];
  const texts = judgeTexts(language);
  return {
    grade: gradeOf(relevanceOf(encoder, language, relevanceFeatures(words, payload, scores, 1))),
    reason: reasonOf(
      texts.words(words.filter((word) => holds(heard, word)).length, words.length),
      nearest === undefined ? '' : texts.nearestQuestion(nearest),
    ),
  };
};

/** The model's verdict; where it has none to give, the other one, with a notice. */
export const byModel = async (
  { grader, ledger, onFault }: Pick<JudgePorts, 'grader' | 'ledger' | 'onFault'>,
  tenant: TenantId,
  ask: (model: GradeModel, onPaid: OnPaid) => Promise<Graded>,
  otherwise: () => Graded,
  { isTold, plain }: SaidOfSources,
  signal: AbortSignal | undefined,
): Promise<Judgement> => {
  if (!grader) return { ...otherwise(), model: CALIBRATED, notices: [] };
  try {
    const { grade, reason } = await onBudget(ledger, tenant, 'grades', (onPaid) => ask(grader, onPaid));
    if (isTold(reason)) throw new CodedError('MODEL_MALFORMED', `"${grader.id}" did as a text told it.`);
    return { grade, reason: plain(reason), model: grader.id, notices: [] };
  } catch (error) {
    if (signal?.aborted) throw error;
    if (!(error instanceof CodedError)) onFault?.(error);
    const { code, message, next } = failureOf(error);
    const notice = { code, message: `${message} The grade is the calibrated one.`, next };
    return { ...otherwise(), model: CALIBRATED, notices: [notice] };
  }
};
