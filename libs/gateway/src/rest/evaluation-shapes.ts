import { EvaluatedQuestion, EvaluationId, EvaluationParagraphs, ModelUsage } from '@postmaster/contracts';
import { z } from 'zod';

export const EvaluationAddress = z.object({ id: EvaluationId });

export const AddParagraphsBody = z.strictObject({ paragraphs: EvaluationParagraphs });

export const AddedShape = z.object({
  paragraphs: z.number().int().describe('That it holds now, a repeated one repeated.'),
  usage: ModelUsage.describe('Of facets that were made.'),
});

export const AskedShape = z.object({ questions: z.array(EvaluatedQuestion) });

export const DroppedEvaluationShape = z.object({ dropped: z.literal(true) });
