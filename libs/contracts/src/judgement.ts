import { z } from 'zod';
import { Notice } from './search.js';

/** A grade on a scale of 1 to 10, with its reason. */
export const Judgement = z.object({
  grade: z.number().int().min(1).max(10),
  reason: z.string(), // in Danish for a Danish question, else in English
  model: z.string(), // whose it is: a model's id, or "calibrated"
  notices: z.array(Notice),
});
export type Judgement = z.infer<typeof Judgement>;
