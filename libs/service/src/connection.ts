import { CodedError } from '@postmaster/contracts';

/** A part of a list, as rows are read. */
export interface Page<T> {
  items: readonly { cursor: string; node: T }[];
  hasNext: boolean;
  /** In the whole list. */
  total: number;
}

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

/** 20 where it is absent. Throws INPUT_INVALID below 1 and above 100. */
export const pageSize = (first: number | null | undefined): number => {
  const size = first ?? 20;
  if (!Number.isInteger(size) || size < 1 || size > 100)
    throw new CodedError('INPUT_INVALID', `"first" should be from 1 to 100, not ${size}.`, { field: 'first' });
  return size;
};
