import { CodedError, type Identity } from '@postmaster/contracts';
import type { SubgraphContext } from '@postmaster/service';
import type { GraphQLFieldResolver } from 'graphql';
import { graphDocument, job, standInParagraph, type StoredFile } from './stand-in-values.js';

export type Resolvers = Record<string, Record<string, GraphQLFieldResolver<never, SubgraphContext, never>>>;

/** Ids that do something of their own: "never" is not answered, "boom" fails unexpectedly, "slow" takes its time. */
export const ingestionResolvers = (files: Map<string, StoredFile>): Resolvers => {
  const documentOf = ({ tenant }: Identity, id: string) => {
    const file = files.get(id);
    return file?.tenant === tenant ? graphDocument(id, file) : null;
  };
  return {
    Query: {
      document: async (_, { id }: { id: string }, { identity }) => {
        if (id === 'never') return new Promise(() => {});
        if (id === 'slow') await new Promise((resolve) => setTimeout(resolve, 400));
        if (id === 'boom') throw new TypeError('secret detail at /srv/internal.ts:12');
        return documentOf(identity, id);
      },
      documents: (_, __, { identity }) => {
        const nodes = [...files.keys()].flatMap((id) => documentOf(identity, id) ?? []);
        const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
        return { nodes, edges: [], pageInfo, totalCount: nodes.length };
      },
      paragraphs: (_, { ids }: { ids: string[] }) => ids.map((id) => ({ __typename: 'Paragraph', id })),
    },
    Mutation: {
      deleteDocuments: (_, { filter }: { filter: { ids: string[] } }, { identity }) => {
        for (const id of filter.ids) if (documentOf(identity, id)) files.delete(id);
        return job('DELETE');
      },
      retryDocuments: () => ({
        __typename: 'Refused',
        code: 'CONFLICT',
        message: 'Nothing of it has failed.',
        next: 'Wait until it is READY.',
      }),
    },
    Paragraph: {
      __resolveReference: ({ id }: { id: string }) => ({ id }),
      document: (_, __, { identity }) => documentOf(identity, 'd1'),
    },
    Document: {
      __resolveReference: ({ id }: { id: string }, { identity }: SubgraphContext) => documentOf(identity, id),
    },
  } as Resolvers;
};

const hit = { paragraph: standInParagraph, score: 1, relevance: 0.8, why: [] };

export const retrievalResolvers = (): Resolvers => ({
  Query: {
    search: (_, { query }: { query: string }) => {
      if (query === '') throw new CodedError('QUERY_EMPTY', 'The question is empty.');
      return {
        hits: [hit],
        plan: {
          query,
          language: 'en',
          index: 'i',
          encoder: 'e',
          fusion: 'MIN_MAX',
          legs: [],
          candidates: 1,
          cached: [],
        },
        notices: [],
        tookMs: 1,
      };
    },
    ask: () => ({
      text: 'It is Friday [1].',
      found: true,
      citations: [{ marker: 1, paragraph: standInParagraph, quote: 'Friday' }],
      hits: [hit],
      model: 'extractive',
      notices: [],
      cached: false,
    }),
  },
});
