import { z } from 'zod';

/** One method of one address. */
export interface Operation {
  summary: string;
  description?: string;
  tag: 'documents' | 'folders' | 'questions' | 'partners' | 'repair' | 'evaluation';
  query?: z.ZodObject;
  id?: 'document' | 'folder' | 'paragraph' | 'job' | 'dead letter' | 'evaluation' | 'deletion' | 'tenant';
  body?: Record<string, unknown>;
  status?: number;
  /** Sent with a body, and writes nothing. */
  onlyReads?: boolean;
  answer: z.ZodType | string;
  /** Of the answer. */
  example?: unknown;
  /** Of the parameters, by their names. */
  asked?: Record<string, unknown>;
}

/** By address and method. */
export type Operations = Readonly<Record<string, Record<string, Operation>>>;

export const schemaOf = (type: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return schema;
};

/** A form of these fields and of files. */
export const formOf = (type: z.ZodType) => {
  const { properties, ...rest } = schemaOf(type, 'input');
  const file = {
    type: 'array',
    items: { type: 'string', format: 'binary' },
    description: 'One or more; after the fields.',
  };
  return { ...rest, properties: { ...properties, file }, required: ['file'] };
};
