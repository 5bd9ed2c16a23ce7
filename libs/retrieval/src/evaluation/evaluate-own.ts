import {
  AskEvaluation,
  CodedError,
  EVALUATION_LIMITS,
  type EvaluatedQuestion,
  encodeQuestion,
  EvaluationWay,
  type Identity,
} from '@postmaster/contracts';
import { meanScores, quantile, type Scores, scoresOf } from '@postmaster/evaluation';
import { z } from 'zod';
import { askQuestion, type AskQuestionPorts } from './ask-question.js';
import { DEFAULT_WEIGHTS } from '../fuse-scores.js';
import { ablationPlans, WAY_PLANS } from './way-plans.js';

/** The ways that an index of production has the points for; what fuses all paragraphs of a tenant is not among them. */
export const OWN_WAYS = EvaluationWay.options.filter(
  (way) =>
    way === 'composite' ||
    way === 'with-entities' ||
    way in ablationPlans(DEFAULT_WEIGHTS) ||
    WAY_PLANS[way]?.collection === 'composite',
);

const RANKED = 20;

export const EvaluateInput = z.strictObject({
  questions: z
    .array(
      z.strictObject({
        query: AskEvaluation.shape.questions.element.shape.text,
        /** A grade above 0 is right. */
        paragraphs: z
          .array(z.strictObject({ id: z.string().min(1), grade: z.number().int().min(0).max(10).default(1) }))
          .min(1)
          .max(1_000)
          .refine((judged) => judged.some(({ grade }) => grade > 0), 'has no right paragraph'),
      }),
    )
    .min(1)
    .max(EVALUATION_LIMITS.questionsABatch),
  ways: z.array(z.enum(OWN_WAYS)).min(1).nullish(),
});

export interface OwnFigures {
  way: EvaluationWay;
  scores: Scores;
  /** Milliseconds, encoding included; null for what was told from another way's search. */
  p50Ms: number | null;
  p95Ms: number | null;
}

/** A tenant's own judged questions over its own documents, by each way alone. Throws INPUT_INVALID, and what a search throws. */
export const evaluateOwn =
  (ports: AskQuestionPorts) =>
  async (identity: Identity, token: string, given: unknown): Promise<{ queries: number; ways: OwnFigures[] }> => {
    const { questions, ways = OWN_WAYS } = checked(given);
    const [first] = questions;
    const { index } = await ports.requests.ask(encodeQuestion, token, { text: first!.query }); // one at least
    const asked = questions.map(({ query }, at) => ({ id: String(at), text: query }));
    const place = { tenant: identity.tenant, indexes: { composite: index }, paragraphs: Infinity };
    const request = { questions: asked, ways: [...(ways ?? OWN_WAYS)], first: RANKED, timed: true, hits: 0 };
    const ask = askQuestion(ports, place, { ...request, candidates: false });
    const answers: EvaluatedQuestion[] = [];
    for (const question of asked) answers.push(await ask((await ports.sign?.(identity)) ?? token, question));
    const figures = request.ways.map((way): OwnFigures => {
      const judged = (at: number) => new Map(questions[at]?.paragraphs.map(({ id, grade }) => [id, grade]));
      const scores = answers.map((answer, at) => scoresOf(answer.ways[way]?.ranked ?? [], judged(at)));
      const times = answers.flatMap((answer) => answer.ways[way]?.ms ?? []).sort((a, b) => a - b);
      const at = (share: number): number | null => (times.length > 0 ? quantile(times, share) : null);
      return { way, scores: meanScores(scores), p50Ms: at(0.5), p95Ms: at(0.95) };
    });
    return { queries: questions.length, ways: figures };
  };

const checked = (given: unknown): z.output<typeof EvaluateInput> => {
  const parsed = EvaluateInput.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = ['input', ...(issue?.path ?? [])].map(String).join('.');
  throw new CodedError('INPUT_INVALID', `"${field}": ${issue?.message}.`, { field });
};
