import { z } from 'zod';
import {
  Chunking,
  CodedError,
  EntitiesBy,
  LEGS,
  SCOPES,
  Scope,
  SearchOptions,
  type SearchSettings,
  TenantId,
} from '@postmaster/contracts';
import { Budget } from './ledger/budget.js';

export interface Tenant {
  id: TenantId;
  name: string;
  /** How long a paragraph is to be, in words. */
  paragraphWords: number;
  longParagraphs: 'split' | 'refuse';
  /** How documents are cut into paragraphs that say nothing of it themselves. */
  chunking: Chunking;
  /** Who finds what its paragraphs name. */
  entitiesBy: EntitiesBy;
  /** What counts for a question that does not say otherwise; absent ones are the product's. */
  search: SearchSettings;
  /** What it may spend on language models by its own word. */
  budget: Budget;
  /** And by the operator's. */
  ceiling: Budget;
  createdAt: Date;
}

/** An API key, without its secret. */
export interface Key {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: Date;
  revokedAt: Date | null;
}

export interface NewKey {
  key: Key;
  /** Shown this once; only its hash is kept. */
  secret: string;
}

/** What a tenant's own key can be given; tenants are the operator's. */
export const KEY_SCOPES = SCOPES.filter((scope) => scope !== 'operator');

export const PARAGRAPH_WORDS = 120;

const Name = z.string().trim().min(1, 'should not be empty').max(100, 'should be at most 100 characters');

export const CreateTenant = z.object({
  id: TenantId.refine((id) => id !== 'gateway', { error: 'is taken by the system' }),
  name: Name,
});
export type CreateTenant = z.input<typeof CreateTenant>;

/** The id of a tenant that there may be. */
export const NamedTenant = z.object({ id: TenantId });

const options = SearchOptions.shape;

/** What is undefined stays as it is; a search setting that is null becomes the product's again. */
export const UpdateTenant = z.object({
  name: Name.optional(),
  paragraphWords: z.number().int().min(20, 'should be at least 20').max(1000, 'should be at most 1000').optional(),
  longParagraphs: z.enum(['split', 'refuse']).optional(),
  chunking: Chunking.optional(),
  entitiesBy: EntitiesBy.optional(),
  search: z
    .object({
      fusion: options.fusion.nullable(),
      weights: options.weights
        .nullable()
        .refine((weights) => !LEGS.every((leg) => weights?.[leg] === 0), 'should leave a leg to search by'),
      k: options.k.nullable(),
      temperature: options.temperature.nullable(),
      minRelevance: options.minRelevance.nullable(),
    })
    .partial()
    .optional(),
  budget: Budget.optional(),
});
export type UpdateTenant = z.input<typeof UpdateTenant>;

/** What the operator changes of any tenant. */
export const CeilingOf = z.object({ id: TenantId, budget: Budget });

export const CreateKey = z.object({
  name: Name,
  scopes: z
    .array(Scope)
    .min(1, 'should have at least one')
    .refine((scopes) => !scopes.includes('operator'), `can be ${KEY_SCOPES.join(', ')}`)
    .transform((scopes) => [...new Set(scopes)]),
});
export type CreateKey = z.input<typeof CreateKey>;

/** The input as its schema has it; the first thing wrong is INPUT_INVALID with its field. */
export const checked = <S extends z.ZodType>(schema: S, input: z.input<S>): z.output<S> => {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.length ? issue.path.map(String).join('.') : 'input';
  const why = field === 'id' && issue?.code === 'invalid_format' ? ID_FORM : (issue?.message ?? 'is wrong');
  throw new CodedError('INPUT_INVALID', `"${field}" ${why}.`, { field });
};

const ID_FORM = 'should be 1 to 40 lower-case letters, digits and hyphens';
