import { failure, type Notice, type PlanVariation, type Reading } from '@postmaster/contracts';
import type { VariationsReply } from './plan-reply.js';
import { statementQuestions } from './statement-questions.js';

export interface Wanted {
  /** 0…3 */
  questions: number;
  hypothetical: boolean;
}

export interface Varied {
  variations: PlanVariation[];
  notices: Notice[];
}

export const varyByModel = ({ questions, answer }: VariationsReply, wanted: Wanted): PlanVariation[] => [
  ...asQuestions(questions.slice(0, wanted.questions)),
  ...(wanted.hypothetical && answer !== '' ? [{ kind: 'answer' as const, text: answer }] : []),
];

/** What can be had without a model: questions of a statement whose form is known. A notice says what can not. */
export const varyByRules = (request: string, kind: Reading['kind'], wanted: Wanted): Varied => {
  const questions = kind === 'statement' ? statementQuestions(request, wanted.questions) : [];
  const missing = [
    ...(wanted.questions > 0 && questions.length === 0 ? ['questions made of this request'] : []),
    ...(wanted.hypothetical ? ['a hypothetical answer'] : []),
  ];
  return {
    variations: asQuestions(questions),
    notices: missing.map((what) =>
      failure('MODEL_NEEDED', `The search goes without ${what}: that takes a language model.`),
    ),
  };
};

const asQuestions = (questions: readonly string[]): PlanVariation[] =>
  questions.map((text) => ({ kind: 'question', text }));
