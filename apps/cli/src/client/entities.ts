import { z } from 'zod';
import { type Client, notRefused, Refused } from './client.js';

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

/** What the command line reads of an entity. */
export const Entity = z.object({ id: z.string(), name: z.string(), type: z.string(), given: z.boolean() });
export type Entity = z.infer<typeof Entity>;

export const EntityView = Entity.extend({
  observations: z.array(z.string()),
  aliases: z.array(z.object({ name: z.string(), key: z.string(), why: z.string().nullable(), paragraphs: z.number() })),
  paragraphs: z.object({
    totalCount: z.number(),
    nodes: z.array(
      z.object({ id: z.string(), text: z.string().nullable(), document: z.object({ title: z.string() }).nullable() }),
    ),
  }),
  neighbours: z.object({
    totalCount: z.number(),
    nodes: z.array(
      z.object({
        weight: z.number(),
        entity: Entity,
        relations: z.array(z.object({ type: z.string(), outgoing: z.boolean() })),
      }),
    ),
  }),
});
export type EntityView = z.infer<typeof EntityView>;

const EntityPage = z.object({ totalCount: z.number(), nodes: z.array(Entity), pageInfo: PageInfo });
export type EntityPage = z.infer<typeof EntityPage>;

const ENTITY = 'id name type given';

export const listEntities = async (
  client: Client,
  asked: { search?: string; type?: string; first: number; after?: string },
): Promise<EntityPage> => {
  const text = `query ($search: String, $type: EntityType, $first: Int, $after: String) {
    entities(search: $search, type: $type, first: $first, after: $after) {
      totalCount nodes { ${ENTITY} } pageInfo { hasNextPage endCursor }
    }
  }`;
  return (await client.query(z.object({ entities: EntityPage }), text, asked)).data.entities;
};

/** By its id; null where there is none. */
export const showEntity = async (client: Client, id: string, first: number): Promise<EntityView | null> => {
  const text = `query ($id: ID!, $first: Int) {
    entity(id: $id) {
      ${ENTITY} observations aliases { name key why paragraphs }
      paragraphs(first: $first) { totalCount nodes { id text document { title } } }
      neighbours(first: $first) { totalCount nodes { weight entity { ${ENTITY} } relations { type outgoing } } }
    }
  }`;
  return (await client.query(z.object({ entity: EntityView.nullable() }), text, { id, first })).data.entity;
};

const Exported = z.object({ exported: z.object({ lines: z.string(), pageInfo: PageInfo }) });

/** The graph's lines, page by page. */
export async function* exportedLines(client: Client): AsyncGenerator<string, void, undefined> {
  const text = `query ($after: String) {
    exported: exportedEntities(first: 100, after: $after) { lines pageInfo { hasNextPage endCursor } }
  }`;
  let after: string | null | undefined;
  do {
    const { lines, pageInfo } = (await client.query(Exported, text, { after })).data.exported;
    yield lines;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after);
}

export const ImportedEntities = z.object({
  entities: z.number(),
  relations: z.number(),
  observations: z.number(),
  refused: z.array(z.object({ line: z.number(), code: z.string(), message: z.string() })),
});
export type ImportedEntities = z.infer<typeof ImportedEntities>;

/** Takes lines in; may be sent twice. */
export const importLines = async (client: Client, lines: string, firstLine: number): Promise<ImportedEntities> => {
  const text = `mutation ($input: ImportEntitiesInput!) {
    imported: importEntities(input: $input) {
      __typename ... on ImportedEntities { entities relations observations refused { line code message } }
      ... on Refused { code message next }
    }
  }`;
  const Result = z.object({
    imported: z.union([ImportedEntities.extend({ __typename: z.literal('ImportedEntities') }), Refused]),
  });
  return notRefused((await client.query(Result, text, { input: { lines, firstLine } })).data.imported);
};
