import type { ModelUsage } from '@postmaster/contracts';
import { encodeReading } from '../plan/encode-reading.js';
import { readKnownValues } from '../plan/known-values.js';
import { planQuery } from '../plan/plan-query.js';
import type { AskQuestionPorts } from './ask-question.js';
import { type EvaluationPlace, type RankedWay, rankTimed } from './rank-ways.js';
import { HYDE_PLAN } from './way-plans.js';

export interface RankedByAnswer extends RankedWay {
  usage: ModelUsage;
  /** The model gave no answer: the question stood alone. */
  unanswered: boolean;
}

/** Nobody waits for an evaluation's answer as they do for a search's. */
const MODEL_MS = 60_000;

/**
 * HyDE (Gao, Ma, Lin and Callan, "Precise zero-shot dense retrieval without relevance labels", 2022): the paragraphs
 * nearest to the mean of the question's vector and that of an answer that a language model makes up (eq. 8 with one
 * answer). Its time is that of the whole way, the model's included.
 */
export const rankHyde = (ports: AskQuestionPorts, place: EvaluationPlace, first: number) => {
  const { requests, planner: model, now } = ports;
  const known = readKnownValues(requests, now);
  const plan = planQuery({ ...ports, model, modelTimeoutMs: MODEL_MS, known });
  const encode = encodeReading(requests);
  return async (token: string, text: string): Promise<RankedByAnswer> => {
    const began = now();
    const { reading, cost } = await plan(place.tenant, token, text, { planning: 'none', hypothetical: true });
    const { vector } = await encode(token, reading);
    const { ranked } = await rankTimed(ports, place, first)({ vector, text }, HYDE_PLAN);
    const { modelCalls: calls, inputTokens, outputTokens } = cost;
    const unanswered = reading.variations.length === 0;
    return { ranked, ms: now() - began, usage: { calls, inputTokens, outputTokens }, unanswered };
  };
};
