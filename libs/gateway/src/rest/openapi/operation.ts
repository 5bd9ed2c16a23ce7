import { z } from 'zod';

/** One method of one address. */
export interface Operation {
  summary: string;
  description?: string;
  tag: 'documents' | 'questions' | 'repair' | 'evaluation';
  query?: z.ZodObject;
  id?: 'document' | 'paragraph' | 'job' | 'dead letter' | 'evaluation' | 'deletion' | 'tenant';
  body?: Record<string, unknown>;
  status?: number;
  answer: z.ZodType | string;
}

/** By address and method. */
export type Operations = Readonly<Record<string, Record<string, Operation>>>;

export const schemaOf = (type: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return schema;
};
