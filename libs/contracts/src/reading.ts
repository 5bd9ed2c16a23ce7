import { z } from 'zod';
import { Leg } from './legs.js';
import { Scalar } from './point.js';

/** Who reads a request: nobody, rules, or the language model (rules where it can't). */
export const PLANNINGS = ['none', 'rules', 'model'] as const;
export const Planning = z.enum(PLANNINGS);
export type Planning = z.infer<typeof Planning>;

/** What a request asks for; `document` picks documents out by their kind, source, sender or date. */
export const QUESTION_KINDS = [
  'fact',
  'explanation',
  'comparison',
  'list',
  'summary',
  'document',
  'statement',
  'keywords',
] as const;
export const QuestionKind = z.enum(QUESTION_KINDS);
export type QuestionKind = z.infer<typeof QuestionKind>;

const why = {
  /** 0…1: the least certain condition is given up first where all of them together let nothing through. */
  certainty: z.number().min(0).max(1).default(1),
  /** The words of the request that it comes from; empty where a person added it. */
  words: z.string().max(400).default(''),
};
const date = z.iso.datetime({ offset: true }).or(z.iso.date());
const text = z.string().trim().min(1).max(400);
const oneOf = z.array(text).min(1).max(100);
const among = <F extends string>(field: F) => z.strictObject({ field: z.literal(field), oneOf, ...why });
const within = <F extends string>(field: F) =>
  z
    .strictObject({ field: z.literal(field), from: date.optional(), to: date.optional(), ...why })
    .refine(({ from, to }) => from !== undefined || to !== undefined, 'one of "from" and "to" is needed');

/** One condition on a document: equality, one or all of a list, or dates from (inclusive) and to (exclusive). */
export const PlanCondition = z.discriminatedUnion('field', [
  among('collection'),
  among('source-type'),
  among('content-type'),
  among('language'),
  within('created'),
  within('added'),
  z.strictObject({ field: z.literal('title'), allOf: z.array(text).min(1).max(20), ...why }),
  z.strictObject({ field: z.literal('metadata'), key: text, equals: Scalar, ...why }),
]);
export type PlanCondition = z.infer<typeof PlanCondition>;

export const PLAN_FIELDS = [
  'collection',
  'source-type',
  'content-type',
  'language',
  'created',
  'added',
  'title',
  'metadata',
] as const satisfies readonly PlanCondition['field'][];

/** A person, an organisation, a code or a number that the request names. */
export const PlanEntity = z.strictObject({ text, role: z.enum(['sender', 'mention']) });
export type PlanEntity = z.infer<typeof PlanEntity>;

/** A date or period that the request names, whether or not it became a condition. */
export const PlanDate = z.strictObject({ words: text, from: date.nullable(), to: date.nullable() });
export type PlanDate = z.infer<typeof PlanDate>;

/** Another text that is encoded beside the search text: a question in its place, or an answer that might stand somewhere. */
export const PlanVariation = z.strictObject({
  kind: z.enum(['question', 'answer']),
  text: z.string().min(1).max(2000),
});
export type PlanVariation = z.infer<typeof PlanVariation>;

/** A statement may become so many questions; with an answer beside them, a text more. */
export const MAX_QUESTIONS = 3;

/** How a request was read: what is searched for, and where. It may be edited and sent back as `plan`. */
export const Reading = z.strictObject({
  kind: QuestionKind.default('keywords'),
  /** What is encoded, and what the lexical leg looks for. */
  searchText: z.string().trim().min(1).max(4000),
  /** Words that the lexical leg looks for beside the search text. */
  keywords: z.array(text).max(20).default([]),
  entities: z.array(PlanEntity).max(20).default([]),
  dates: z.array(PlanDate).max(10).default([]),
  /** All of them must hold; none is the caller's own filter. */
  conditions: z.array(PlanCondition).max(8).default([]),
  /** Factors on the weights of legs. */
  favour: z.partialRecord(Leg, z.number().min(0).max(10)).default({}),
  variations: z
    .array(PlanVariation)
    .max(MAX_QUESTIONS + 1)
    .default([]),
});
export type Reading = z.infer<typeof Reading>;
/** A plan as it is sent back: what is left out has its default. */
export type GivenReading = z.input<typeof Reading>;

/** What planning cost. Texts are encoded, the request's own among them. */
export const PlanCost = z.object({
  modelCalls: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  texts: z.number().int(),
  tookMs: z.number(),
});
export type PlanCost = z.infer<typeof PlanCost>;

/** The part of SearchOptions that planning takes. */
export const PLAN_OPTIONS = {
  planning: Planning.optional(),
  /** A plan sent back: nothing is planned anew. */
  plan: z.unknown().optional(), // a Reading; retrieval answers FILTER_INVALID with the known fields
  /** How many questions to make of a statement, 0…3. */
  questions: z.number().int().min(0).max(MAX_QUESTIONS).optional(),
  /** Encodes an answer that the model makes up, beside the question (HyDE: Gao et al. 2022). */
  hypothetical: z.boolean().optional(),
} as const;
