import type { Page } from '../rows/document-pages.js';

/** A page in the shape of the Relay cursor convention. */
export const connectionOf = <T>({ items, hasNext, total }: Page<T>, after: string | undefined) => ({
  edges: items,
  nodes: items.map(({ node }) => node),
  totalCount: total,
  pageInfo: {
    hasNextPage: hasNext,
    hasPreviousPage: after !== undefined,
    startCursor: items[0]?.cursor ?? null,
    endCursor: items.at(-1)?.cursor ?? null,
  },
});
