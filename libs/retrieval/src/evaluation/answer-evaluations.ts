import {
  addEvaluationParagraphs,
  askEvaluation,
  beginEvaluation,
  EVALUATION_WAYS,
  type EvaluationFacets,
  type EvaluationParagraph,
  fillEvaluation,
  findEvaluation,
  holdEntities,
  makeFacets,
  type ModelUsage,
  openEvaluation,
  requireScope,
} from '@postmaster/contracts';
import { DEFAULT_WEIGHTS } from '../fuse-scores.js';
import { PER_LEG } from '../gather-candidates.js';
import { FOUND } from '../relevance-calibration.js';
import { askQuestion, type AskQuestionPorts } from './ask-question.js';

/** The evaluation as others ask for it: points of its own, questions over them. Everything needs the scope admin. */
export const answerEvaluations = (ports: AskQuestionPorts): void => {
  const { requests, sign } = ports;
  requests.answer(beginEvaluation, async (identity, input, token) => {
    requireScope(identity, 'admin');
    const opened = await requests.ask(openEvaluation, token, input);
    const ways = EVALUATION_WAYS.filter((way) => way !== 'hyde' || ports.planner);
    return { ...opened, weights: { ...DEFAULT_WEIGHTS }, perLeg: PER_LEG, found: FOUND, ways };
  });
  requests.answer(addEvaluationParagraphs, async (identity, { id, paragraphs }, token) => {
    requireScope(identity, 'admin');
    const usage: ModelUsage = { calls: 0, inputTokens: 0, outputTokens: 0 };
    const faceted = await Promise.all(
      paragraphs.map(async (paragraph, at) => ({
        ...paragraph,
        facets: paragraph.facets ?? (await facetsOf(ports, token, paragraphs, at, usage)),
      })),
    );
    const fresh = (await sign?.(identity)) ?? token; // a model may have taken its time
    const named = paragraphs.map(({ id: paragraph, document, text }) => ({ id: paragraph, document, text }));
    const [filled] = await Promise.all([
      requests.ask(fillEvaluation, fresh, { id, paragraphs: faceted }),
      requests.ask(holdEntities, fresh, { graph: id, paragraphs: named }),
    ]);
    return { ...filled, usage };
  });
  requests.answerStream(askEvaluation, async function* (identity, { id, ...request }, token, signal) {
    requireScope(identity, 'admin');
    const place = { ...(await requests.ask(findEvaluation, token, { id })), graph: id };
    const ask = askQuestion(ports, place, request);
    for (const question of request.questions) {
      if (signal.aborted) return;
      yield await ask((await sign?.(identity)) ?? token, question);
    }
  });
};

const NEIGHBOUR_CHARACTERS = 300;

/** Made as for a document's paragraph, between its neighbours where they are in the same batch. */
const facetsOf = async (
  { requests }: AskQuestionPorts,
  token: string,
  batch: readonly EvaluationParagraph[],
  at: number,
  usage: ModelUsage,
): Promise<EvaluationFacets> => {
  const { title, text, document } = batch[at]!;
  const neighbour = (other: EvaluationParagraph | undefined): string =>
    other?.document === document ? other.text : '';
  const { facets, usage: own } = await requests.ask(makeFacets, token, {
    ...{ title, text },
    before: neighbour(batch[at - 1]).slice(-NEIGHBOUR_CHARACTERS),
    after: neighbour(batch[at + 1]).slice(0, NEIGHBOUR_CHARACTERS),
  });
  usage.calls += own.calls;
  usage.inputTokens += own.inputTokens;
  usage.outputTokens += own.outputTokens;
  return {
    simpleQuestions: facets.simpleQuestions.map((question) => question.text),
    complexQuestions: facets.complexQuestions.map((question) => question.text),
    context: facets.context,
    scope: facets.scope,
  };
};
