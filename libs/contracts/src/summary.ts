import { z } from 'zod';
import { Citation } from './answer.js';
import { Notice } from './search.js';

export const SummaryPoint = z.object({
  text: z.string(), // with citations as [n]
  citations: z.array(Citation).min(1), // one for each marker in it
});
export type SummaryPoint = z.infer<typeof SummaryPoint>;

/** What a set of documents says, in points. A marker stands for the same paragraph in all of them. */
export const Summary = z.object({
  points: z.array(SummaryPoint),
  documents: z.number().int(), // whose paragraphs were read
  model: z.string(), // who wrote them: a model's id, or "extractive"
  notices: z.array(Notice),
});
export type Summary = z.infer<typeof Summary>;
