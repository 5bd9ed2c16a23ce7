import { CodedError } from '@postmaster/contracts';
import type { z } from 'zod';

/** Parses what came from outside; the first fault is INPUT_INVALID with its field's name. */
export const parseInput = <T extends z.ZodType>(schema: T, input: unknown): z.output<T> => {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') || undefined;
  throw new CodedError('INPUT_INVALID', `${field ? `"${field}": ` : ''}${issue?.message ?? 'not valid'}`, { field });
};
