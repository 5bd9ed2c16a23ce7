import { z } from 'zod';

export const FacetQuestion = z.object({
  text: z.string(),
  kind: z.string().optional(),
  quality: z.number().min(0).max(1).optional(),
});
export type FacetQuestion = z.infer<typeof FacetQuestion>;

/** What a language model (or the extractive enricher: model "extractive") says of one paragraph. */
export const Facets = z.object({
  simpleQuestions: z.array(FacetQuestion),
  complexQuestions: z.array(FacetQuestion),
  context: z.string(),
  scope: z.string(),
  model: z.string(),
  promptVersion: z.string(),
  quality: z.number().min(0).max(1).nullable(),
});
export type Facets = z.infer<typeof Facets>;
