import type { Graded, GradeModel, OnPaid } from '@postmaster/retrieval';
import { z } from 'zod';
import { askChain } from './ask-chain.js';
import type { CallSettings } from './ask-in-form.js';
import type { ChatPrompt, ReplyForm } from './chat-server.js';
import { gradeAnswerPrompt, gradePrompt } from './grade-prompt.js';
import type { ModelChain } from './model-chain.js';

const LONGEST_REASON = 1000;
const GradeReply = z.object({
  reason: z.string().trim().min(1).max(LONGEST_REASON),
  grade: z.number().int().min(1).max(10),
});
/** The reason before the grade, as models write in this order. Limits are left to the parser: not every server knows them. */
const FORM: ReplyForm = {
  name: 'grade',
  schema: {
    type: 'object',
    properties: { reason: { type: 'string' }, grade: { type: 'integer', description: '1 to 10' } },
    required: ['reason', 'grade'],
    additionalProperties: false,
  },
};

/** Grades from a chat model. */
export const chatGrades = (chain: ModelChain, settings: CallSettings = {}): GradeModel => {
  const ask = askChain(chain, settings);
  const graded = async (prompt: ChatPrompt, signal?: AbortSignal, onPaid?: OnPaid): Promise<Graded> =>
    (await ask({ prompt, form: FORM, schema: GradeReply, onPaid }, signal)).reply;
  return {
    id: chain.servers[0].id,
    judge: (question, paragraph, language, signal, onPaid) =>
      graded(gradePrompt(question, paragraph, language), signal, onPaid),
    judgeAnswer: (question, answer, sources, language, signal, onPaid) =>
      graded(gradeAnswerPrompt(question, answer, sources, language), signal, onPaid),
  };
};
