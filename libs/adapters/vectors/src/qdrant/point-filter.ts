import type { PointKind, SearchFilter, TenantId } from '@postmaster/contracts';
import type { Span } from '@postmaster/retrieval';
import type { Schemas } from '@qdrant/js-client-rest';
import { type DateField, filterTime } from '../dates.js';
import { wordsOf } from '../text-words.js';
import { metadataPair } from '../metadata-pairs.js';
import type { IndexedField } from './collection-schema.js';
import { wellFormed } from './well-formed.js';

export type PointFilter = Schemas['Filter'] & { must: Schemas['Condition'][] };

/** By the position that a point has; one from before there were positions is of a paragraph. */
export const ofKind = (kind: PointKind): Schemas['Condition'] => {
  const summaries: Schemas['Filter'] = { must: [{ key: 'position' satisfies IndexedField, range: { lt: 0 } }] };
  return kind === 'summary' ? summaries : { must_not: [summaries] };
};

/** All of a tenant's points; of these point ids where they are given. */
export const ofTenant = (tenant: TenantId, points?: readonly string[]): PointFilter => ({
  must: [...(points ? [{ has_id: [...points] }] : []), is('tenant', tenant)],
});

export const ofDocuments = (tenant: TenantId, documents: readonly string[]): PointFilter => ({
  must: [is('tenant', tenant), { key: 'document' satisfies IndexedField, match: { any: documents.map(wellFormed) } }],
});

/** What the tenant's words are counted over: its active paragraphs, whatever the filter of a search. */
export const corpusOf = (tenant: TenantId): PointFilter => ({ must: [...activeOf(tenant), ofKind('paragraph')] });

const activeOf = (tenant: TenantId): Schemas['Condition'][] => [is('tenant', tenant), is('active', true)];

/**
 * The tenant's active points that a filter lets through, of one kind where it is given; undefined where it lets nothing
 * through. Throws FILTER_INVALID for what is no date.
 */
export const searchFilter = (
  tenant: TenantId,
  filter: SearchFilter = {},
  kind?: PointKind,
): PointFilter | undefined => {
  const lists: [IndexedField, readonly string[] | undefined][] = [
    ['document', filter.documents],
    ['collection', filter.collections],
    ['source_type', filter.sourceTypes],
    ['content_type', filter.contentTypes],
    ['language', filter.languages],
  ];
  const words = (filter.titleWords ?? []).map(wordsOf);
  const dates = [
    ...dated('created_at', 'createdFrom', 'createdTo', filter),
    ...dated('added_at', 'addedFrom', 'addedTo', filter),
  ];
  if (lists.some(([, values]) => values?.length === 0) || words.some((terms) => terms.length === 0)) return undefined;
  return {
    must: [
      ...activeOf(tenant),
      ...(kind ? [ofKind(kind)] : []),
      ...lists.flatMap(([key, values]) => (values ? [{ key, match: { any: values.map(wellFormed) } }] : [])),
      ...dates,
      ...words.flat().map((term) => is('title_words', term)),
      ...(filter.metadata ?? []).map(({ key, value }) => is('metadata_pairs', metadataPair(key, value))),
    ],
  };
};

export const within = ({ document, from, to }: Span): Schemas['Filter'] => ({
  must: [
    is('document', wellFormed(document)),
    { key: 'position' satisfies IndexedField, range: { gte: from, lte: to } },
  ],
});

const is = (key: IndexedField, value: string | boolean): Schemas['FieldCondition'] => ({ key, match: { value } });

const dated = (key: IndexedField, from: DateField, to: DateField, filter: SearchFilter): Schemas['Condition'][] => {
  const [gte, lt] = [filterTime(from, filter), filterTime(to, filter)];
  return gte === undefined && lt === undefined ? [] : [{ key, range: { gte, lt } }];
};
