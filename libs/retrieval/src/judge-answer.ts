import { CodedError, type Judgement, servingIndex, type TenantId } from '@postmaster/contracts';
import type { StoredParagraph } from './candidate-store.js';
import { checkQuestion } from './check-request.js';
import { withoutCitations } from './check-sentence.js';
import { fillTexts } from './fill-texts.js';
import type { Graded } from './grade-model.js';
import { byModel, gradeOf, type JudgePorts } from './judge-paragraph.js';
import { saidOfSources, shownSource } from './hostile-sources.js';
import { judgeTexts, reasonOf } from './judge-texts.js';
import { holds, legible, namesIn, shareHeld, weighedWords } from './question-words.js';
import { sentencesOf } from './sentences.js';
import { checkedSource, claimOf, support } from './supports.js';

export interface JudgeAnswerRequest {
  query: string;
  answer: string;
  /** Ids of paragraphs. */
  sources: readonly string[];
}

export const MOST_ANSWER = 20_000;
export const MOST_JUDGED_SOURCES = 20;

/**
 * How well an answer answers its question and is borne out by its sources: 1…10, with the reason; by the model, else
 * the share of its sentences that the sources support × the share of the question's word weight in answer and sources.
 * Throws QUERY_EMPTY, QUERY_TOO_LONG, INPUT_INVALID, NOT_FOUND for a source that isn't there; a model that fails is a
 * notice.
 */
export const judgeAnswer =
  (ports: JudgePorts) =>
  async (tenant: TenantId, token: string, request: JudgeAnswerRequest, signal?: AbortSignal): Promise<Judgement> => {
    const query = checkQuestion(request.query);
    const answer = checkAnswer(request.answer);
    const ids = checkSources(request.sources);
    const { index } = await ports.requests.ask(servingIndex, token, {});
    const read = await ports.store.read(tenant, index, { ids }, ids.length);
    const found = new Map((await fillTexts(ports.requests)(token, read)).filled.map((source) => [source.id, source]));
    const sources = ids.map((id) => {
      const source = found.get(id);
      if (source) return source;
      throw new CodedError('NOT_FOUND', `There is no paragraph "${id}".`, { field: 'sources' });
    });
    const language = ports.languageOf(query) ?? ports.languageOf(answer);
    return byModel(
      ports,
      tenant,
      (model, onPaid) =>
        model.judgeAnswer(
          query,
          answer,
          sources.map(({ payload }) => shownSource(payload)),
          language ?? 'en',
          signal,
          onPaid,
        ),
      () => byWords(query, answer, sources, language, ports.languageOf),
      saidOfSources(
        sources.map(({ payload }) => payload),
        [query, answer],
      ),
      signal,
    );
  };

const byWords = (
  query: string,
  answer: string,
  sources: readonly StoredParagraph[],
  language: string | null,
  languageOf: JudgePorts['languageOf'],
): Graded => {
  const words = weighedWords(query);
  const names = new Set([query, ...sources.map(({ payload }) => payload.text)].flatMap(namesIn));
  const checked = sources.map(({ payload }, i) =>
    checkedSource({ marker: i + 1, ...payload }, payload.language ?? languageOf(payload.text)),
  );
  const claims = sentencesOf(answer)
    .map(({ text }) => withoutCitations(text))
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text) => claimOf(text, languageOf(text) ?? language, names));
  const borne = claims.filter((claim) => support(claim, checked)).length;
  const heard = legible([answer, ...sources.map(({ payload }) => payload.text)].join(' '));
  const texts = judgeTexts(language);
  return {
    grade: gradeOf(
      (claims.length === 0 ? 0 : borne / claims.length) * (words.length === 0 ? 1 : shareHeld(heard, words)),
    ),
    reason: reasonOf(
      texts.borneOut(borne, claims.length),
      texts.answerWords(words.filter((word) => holds(heard, word)).length, words.length),
    ),
  };
};

const checkAnswer = (answer: string): string => {
  if (/[\p{L}\p{N}]/u.test(answer) && answer.length <= MOST_ANSWER) return answer;
  throw new CodedError(
    'INPUT_INVALID',
    `The answer must have a letter or digit, and at most ${MOST_ANSWER} characters.`,
    {
      field: 'answer',
    },
  );
};

const checkSources = (sources: readonly string[]): string[] => {
  const ids = [...new Set(sources)];
  if (ids.length >= 1 && ids.length <= MOST_JUDGED_SOURCES) return ids;
  throw new CodedError(
    'INPUT_INVALID',
    `"sources" must name 1 to ${MOST_JUDGED_SOURCES} paragraphs, but names ${ids.length}.`,
    {
      field: 'sources',
    },
  );
};
