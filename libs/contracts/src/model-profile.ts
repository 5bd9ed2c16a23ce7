import { z } from 'zod';
import { requestType } from './requests.js';

/** Shown to people and kept as it is, so it may hold no secret. */
const url = z
  .url({ protocol: /^https?$/, error: 'should be an http(s) address' })
  .max(2_000)
  .refine((given) => {
    const { username, password, search } = new URL(given);
    return !username && !password && !search;
  }, 'should hold no name, password or parameters: a key goes into the field for it');
const secret = z.string().min(1).max(4_000);

/** Where a tenant's vectors are. `embedded` is another word for `lancedb`. */
export const VectorDbChoice = z.strictObject({
  type: z
    .enum(['lancedb', 'embedded', 'qdrant'])
    .transform((type) => (type === 'embedded' ? 'lancedb' : type))
    .pipe(z.enum(['lancedb', 'qdrant'])),
  url: url.optional(),
  apiKey: secret.optional(),
});
export type VectorDbChoice = z.output<typeof VectorDbChoice>;

/** A model by its name, which may begin with its provider: "openai:gpt-4o-mini", "anthropic:claude-haiku-4-5"; openai unless told. */
export const ModelChoice = z.strictObject({
  model: z.string().trim().min(1).max(200),
  url: url.optional(),
  apiKey: secret.optional(),
});
export type ModelChoice = z.output<typeof ModelChoice>;

const MOST_FALLBACKS = 3;

/** A language model, and whom to ask, in this order, where it fails. */
export const LanguageModelChoice = z.strictObject({
  ...ModelChoice.shape,
  fallbacks: z.array(ModelChoice).max(MOST_FALLBACKS).optional(),
});
export type LanguageModelChoice = z.output<typeof LanguageModelChoice>;

/** What a tenant uses in place of the server's own; what is absent is the server's. */
export const ModelProfile = z.strictObject({
  vectorDb: VectorDbChoice.optional(),
  encodingModel: ModelChoice.optional(),
  llmModel: LanguageModelChoice.optional(),
});
export type ModelProfile = z.output<typeof ModelProfile>;

/**
 * Is what a caller says of the tenant's models so? Answers nothing where it is; throws ENCODER_MISMATCH or
 * PROFILE_MISMATCH. Secrets are compared and dropped.
 */
export const compareModels = requestType({
  subject: 'tenants.compare-models',
  input: z.strictObject({
    vectorDb: z.strictObject({ ...VectorDbChoice.shape, type: VectorDbChoice.shape.type.optional() }).optional(),
    encodingModel: ModelChoice.partial().optional(),
    llmModel: ModelChoice.partial().optional(),
  }),
  output: z.object({}),
  timeoutMs: 10_000,
});
export type StatedModels = z.output<typeof compareModels.input>;

/** Who finds what paragraphs name: rules alone, a language model beside them, or whatever the server's operator says. */
export const ENTITIES_BY = ['server', 'rules', 'model'] as const;
export const EntitiesBy = z.enum(ENTITIES_BY);
export type EntitiesBy = z.output<typeof EntitiesBy>;

/**
 * What a tenant says of language models: the one that it has of its own, with its key, and who finds entities. For
 * services only. `version` changes with the model.
 */
export const ownModels = requestType({
  subject: 'tenants.own-models',
  input: z.object({}),
  output: z.object({
    version: z.number().int(),
    llmModel: LanguageModelChoice.nullable(),
    entitiesBy: EntitiesBy.default('server'),
  }), // a tenants service of the version before says nothing of it
  timeoutMs: 5_000,
});
export type OwnModels = z.output<typeof ownModels.output>;
