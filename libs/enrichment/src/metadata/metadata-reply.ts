import { DOCUMENT_TYPES, FIELDS, type FieldName } from '@postmaster/contracts';
import { z } from 'zod';

const NAMES = Object.keys(FIELDS) as [FieldName, ...FieldName[]]; // Object.keys forgets the names
const MOST_FIELDS = 200;

const Shape = z.object({
  type: z.string(),
  type_quote: z.string(),
  fields: z.array(z.object({ name: z.string(), quote: z.string(), choice: z.string() })),
});

/** Of the shape alone, for servers that hold a model to a JSON Schema: every key required, no other allowed. */
export const METADATA_REPLY_SCHEMA: Record<string, unknown> = z.toJSONSchema(Shape);
delete METADATA_REPLY_SCHEMA.$schema; // not every server takes it

const name = z.enum(NAMES);

/** A model's reply: quotes alone, of which the values are read here. Fields of no known name are left out; another shape is refused. */
export const MetadataReply = Shape.extend({ type: z.enum(DOCUMENT_TYPES).catch('other') }).transform(
  ({ fields, ...rest }) => ({
    ...rest,
    fields: fields.slice(0, MOST_FIELDS).flatMap((field) => {
      const known = name.safeParse(field.name);
      return known.success ? [{ ...field, name: known.data }] : [];
    }),
  }),
);
export type MetadataReply = z.infer<typeof MetadataReply>;
