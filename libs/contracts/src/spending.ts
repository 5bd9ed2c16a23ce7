import { z } from 'zod';
import { Failure } from './failure.js';
import { requestType } from './requests.js';

/** What a tenant may still spend on language models this month. */
export const spending = requestType({
  subject: 'tenants.spending',
  input: z.object({}),
  output: z.object({
    /** Why nothing may be asked; null while something may. */
    used: Failure.nullable(),
    /** Of the budget; null where it limits none. */
    tokensLeft: z.number().nullable(),
  }),
  timeoutMs: 5_000,
});
export type Spending = z.infer<typeof spending.output>;
