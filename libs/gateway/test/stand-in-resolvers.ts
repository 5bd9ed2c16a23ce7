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

const hit = {
  kind: 'PARAGRAPH',
  paragraph: standInParagraph,
  score: 1,
  relevance: 0.8,
  why: [],
  duplicates: [],
  highlights: [{ start: 4, end: 12 }],
};

const planOf = (query: string) => ({
  ...{ query, language: 'en', index: 'i', encoder: 'e', fusion: 'MIN_MAX', legs: [], candidates: 1, planning: 'RULES' },
  reading: {
    ...{ kind: 'FACT', searchText: query, keywords: [], entities: [], dates: [], conditions: [], favour: {} },
    variations: [],
  },
  cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, texts: 1, tookMs: 0 },
  cached: [],
});

export const retrievalResolvers = (): Resolvers => ({
  Query: {
    search: (_, { query }: { query: string }) => {
      if (query === '') throw new CodedError('QUERY_EMPTY', 'The question is empty.');
      return { hits: [hit], plan: planOf(query), notices: [], tookMs: 1 };
    },
    moreLikeThis: (_, { paragraph }: { paragraph: string }) => {
      if (paragraph !== 'p0') throw new CodedError('NOT_FOUND', `There is no paragraph "${paragraph}".`);
      return { hits: [hit], notices: [] };
    },
    judge: () => ({ grade: 8, reason: 'It says when.', model: 'calibrated', notices: [] }),
    judgeAnswer: () => ({ grade: 3, reason: 'It says little.', model: 'calibrated', notices: [] }),
    summarize: (_, { points }: { points: number }) => ({
      points: [
        { text: `${points} points [1].`, citations: [{ marker: 1, paragraph: standInParagraph, quote: 'Friday' }] },
      ],
      documents: 1,
      model: 'extractive',
      notices: [],
    }),
    ask: (_, { query }: { query: string }) => ({
      text: 'It is Friday [1].',
      found: true,
      citations: [{ marker: 1, paragraph: standInParagraph, quote: 'Friday' }],
      hits: [hit],
      plan: planOf(query),
      model: 'extractive',
      notices: [],
      cached: false,
    }),
  },
});
