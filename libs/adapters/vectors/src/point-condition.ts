import type { PointKind, SearchFilter } from '@postmaster/contracts';
import type { Span } from '@postmaster/retrieval';
import { type DateField, filterTime } from './dates.js';
import { wordsOf } from './text-words.js';
import { metadataPair } from './metadata-pairs.js';

/** The SQL condition for active points that a filter lets through. Throws FILTER_INVALID for what is no date. */
export const pointCondition = (filter: SearchFilter = {}): string => {
  const { documents, collections, sourceTypes, contentTypes, languages } = filter;
  return [
    'active = true',
    ...oneOf('document', documents),
    ...oneOf('collection', collections),
    ...oneOf('source_type', sourceTypes),
    ...oneOf('content_type', contentTypes),
    ...oneOf('language', languages),
    ...date('created_at >=', 'createdFrom', filter),
    ...date('created_at <', 'createdTo', filter),
    ...date('added_at >=', 'addedFrom', filter),
    ...date('added_at <', 'addedTo', filter),
    ...(filter.titleWords ?? []).flatMap(titleWord),
    ...(filter.metadata ?? []).map(({ key, value }) => holds('metadata_pairs', metadataPair(key, value))),
  ].join(' AND ');
};

/** The SQL condition for points of a kind, by the position that their rows have; one without is of a paragraph. */
export const kindCondition = (kind: PointKind): string =>
  kind === 'summary' ? 'position < 0.0' : '(position IS NULL OR position >= 0.0)';

/** The SQL condition for points of these ids. An empty list lets nothing through. */
export const idCondition = (ids: readonly string[]): string => oneOf('id', ids).join('');

/** The same for points of these documents, active or not. */
export const documentCondition = (documents: readonly string[]): string => oneOf('document', documents).join('');

/** The SQL condition for what lies in any of these. An empty list lets nothing through. */
export const spanCondition = (spans: readonly Span[]): string =>
  spans.length === 0
    ? 'false'
    : `(${spans.map(({ document, from, to }) => `(document = ${quoted(document)} AND position BETWEEN ${from}.0 AND ${to}.0)`).join(' OR ')})`;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const oneOf = (column: string, values: readonly string[] | undefined): string[] =>
  values === undefined ? [] : [values.length === 0 ? 'false' : `${column} IN (${values.map(quoted).join(',')})`];

const holds = (column: string, value: string): string => `array_contains(${column}, ${quoted(value)})`;

/** What is no word, as "—", is no word of any title. */
const titleWord = (word: string): string[] => {
  const terms = wordsOf(word);
  return terms.length === 0 ? ['false'] : terms.map((term) => holds('title_words', term));
};

const date = (comparison: string, field: DateField, filter: SearchFilter): string[] => {
  const time = filterTime(field, filter);
  return time === undefined ? [] : [`${comparison} ${time}.0`];
};
