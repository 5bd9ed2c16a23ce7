import { z } from 'zod';
import { readAnswer, refusalOf, serverError } from './read-answer.js';
import type { Failure } from './shapes.js';
import type { Transport } from './transport.js';

const Errors = z
  .array(
    z.object({
      message: z.string(),
      path: z.array(z.union([z.string(), z.number()])).optional(),
      extensions: z.object({ code: z.string().optional(), next: z.string().optional() }).optional(),
    }),
  )
  .optional();

export interface Asked<T> {
  data: T;
  /** Of the parts that are missing. */
  missing: Failure[];
}

/** Runs an operation. Throws the first failure where all fields at the root are missing; else it comes beside the data. */
export const runGraphql = async <T extends z.ZodType>(
  transport: Transport,
  schema: T,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Asked<z.output<T>>> => {
  const answer = await transport({
    method: 'POST',
    path: 'graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: query.replace(/\s+/g, ' ').trim(), variables }),
  });
  const Whole = z.object({ data: z.record(z.string(), z.unknown()).nullish(), errors: Errors });
  const { data, errors = [] } = await readAnswer(Whole, answer);
  if (errors.length > 0 && Object.values(data ?? {}).every((value) => value === null))
    throw refusalOf(answer.statusCode ?? 0, { errors });
  const parsed = schema.safeParse(data);
  if (!parsed.success)
    throw serverError('INTERNAL', `The answer lacks a part: ${z.prettifyError(parsed.error).split('\n')[0]}`);
  const missing = errors.map(({ message, extensions: { code = 'INTERNAL', next = '' } = {} }) => ({
    code,
    message,
    next,
  }));
  return { data: parsed.data, missing };
};
