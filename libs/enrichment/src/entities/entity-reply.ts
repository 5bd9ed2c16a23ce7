import { z } from 'zod';
import { ENTITY_TYPES } from './entity.js';
import { RELATION_TYPES, type RelationType } from './relations.js';

/** Of one passage; what a model says beyond is not looked at. */
const MOST = 60;
const LONGEST = 200;

const Shape = z.object({
  passages: z.array(
    z.object({
      number: z.number().int(),
      entities: z.array(z.object({ name: z.string(), type: z.enum(ENTITY_TYPES) })),
      relations: z.array(
        z.object({
          from: z.string(),
          type: z.enum(RELATION_TYPES as [RelationType, ...RelationType[]]),
          to: z.string(),
        }),
      ),
    }),
  ),
});

/** Of the shape alone, for servers that hold a model to a JSON Schema: every key required, no other allowed. */
export const ENTITY_REPLY_SCHEMA: Record<string, unknown> = z.toJSONSchema(Shape);
delete ENTITY_REPLY_SCHEMA.$schema; // not every server takes it

const name = z.string().max(LONGEST);
const listOf = <S extends z.ZodType>(entry: S) =>
  z.array(z.unknown()).transform((all) =>
    all.slice(0, MOST).flatMap((one): z.output<S>[] => {
      const read = entry.safeParse(one);
      return read.success ? [read.data] : [];
    }),
  );

/** What a model says of one passage, as it says it: what does not count is told by the gate. */
export const PassageReply = z.object({
  entities: listOf(z.object({ name, type: z.enum(ENTITY_TYPES).catch('other') })),
  relations: listOf(z.object({ from: name, type: z.string().max(LONGEST), to: name })),
});
export type PassageReply = z.output<typeof PassageReply>;

export const NOTHING_SAID: PassageReply = { entities: [], relations: [] };

/** A model's reply to the prompt for entities; of a passage that it gives twice, the first. Refused: another shape. */
export const EntityReply = z.object({
  passages: z.array(PassageReply.extend({ number: z.number().int() })),
});
export type EntityReply = z.output<typeof EntityReply>;
