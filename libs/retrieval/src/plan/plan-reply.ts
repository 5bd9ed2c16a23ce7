import { MAX_QUESTIONS, PLAN_FIELDS, QUESTION_KINDS } from '@postmaster/contracts';
import { z } from 'zod';
import type { PlanForm } from './plan-model.js';

const PlanShape = z.object({
  kind: z.enum(QUESTION_KINDS),
  search_text: z.string(),
  keywords: z.array(z.string()),
  sender: z.string().nullable(),
  conditions: z.array(
    z.object({
      field: z.enum(PLAN_FIELDS),
      values: z.array(z.string()),
      key: z.string().nullable(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      words: z.string(),
    }),
  ),
});

/** A model's reading of a request. What it says of conditions is checked against what there is before it counts. */
export const PlanReply = PlanShape.extend({
  search_text: z.string().trim().min(1).max(4000),
  keywords: z.array(z.string().trim().max(200)).transform((all) => all.filter(Boolean).slice(0, 5)),
  conditions: PlanShape.shape.conditions.max(20),
});
export type PlanReply = z.infer<typeof PlanReply>;

const VariationsShape = z.object({ questions: z.array(z.string()), answer: z.string() });

const VariationsReply = z.object({
  questions: z
    .array(z.string().trim().max(2000))
    .transform((all) => [...new Set(all.filter(Boolean))].slice(0, MAX_QUESTIONS)),
  answer: z.string().trim().max(2000),
});

const schemaOf = (shape: z.ZodType): Record<string, unknown> => {
  const { $schema: _, ...schema } = z.toJSONSchema(shape); // not every server takes $schema
  return schema;
};

export type VariationsReply = z.infer<typeof VariationsReply>;

export const PLAN_FORM: PlanForm<typeof PlanReply> = {
  name: 'query_plan',
  schema: schemaOf(PlanShape),
  reply: PlanReply,
};

export const VARIATIONS_FORM: PlanForm<typeof VariationsReply> = {
  name: 'query_variations',
  schema: schemaOf(VariationsShape),
  reply: VariationsReply,
};
