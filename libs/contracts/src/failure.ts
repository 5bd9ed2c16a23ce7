import { z } from 'zod';

/** What went wrong with something stored: a code of the list in errors.ts, the cause in words, and what to do next. */
export const Failure = z.object({ code: z.string(), message: z.string(), next: z.string() });
export type Failure = z.infer<typeof Failure>;
