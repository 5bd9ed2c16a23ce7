import type { KnownValues } from '@postmaster/contracts';
import type { z } from 'zod';
import type { OnPaid } from '../ledger/model-ledger.js';

export interface PlanPrompt {
  system: string;
  user: string;
}

/** What a reply must be: its JSON Schema for the server, and the schema that it is read by. */
export interface PlanForm<S extends z.ZodType = z.ZodType> {
  name: string;
  schema: Record<string, unknown>;
  reply: S;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/**
 * A language model that fills in a form. Asked once: a search does not wait for second tries. Failures are CodedErrors:
 * MODEL_UNREACHABLE (late, too), MODEL_REFUSED, MODEL_MALFORMED; or the reason of the signal.
 */
export interface PlanModel {
  /** "openai:gpt-4o-mini" */
  readonly id: string;
  fill<S extends z.ZodType>(
    prompt: PlanPrompt,
    form: PlanForm<S>,
    signal: AbortSignal,
    onPaid?: OnPaid,
  ): Promise<{ reply: z.output<S>; usage: Usage }>;
}

/** What a planning model is told of a tenant's documents: names of things, and no value that a document's text gave. */
export type ToldValues = Pick<KnownValues, 'collections' | 'sourceTypes' | 'contentTypes' | 'languages'> & {
  metadataKeys: readonly string[];
};
