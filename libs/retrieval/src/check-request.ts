import { CodedError, SearchFilter, SearchOptions } from '@postmaster/contracts';
import type { z } from 'zod';

export const MAX_QUESTION = 4_000;
export const MAX_FIRST = 100;
export const DEFAULT_FIRST = 5;

/** The question in Unicode's composed form, trimmed. Throws QUERY_EMPTY, QUERY_TOO_LONG (by code points). */
export const checkQuestion = (query: string): string => {
  if (query.length > 2 * MAX_QUESTION || [...query].length > MAX_QUESTION)
    throw new CodedError('QUERY_TOO_LONG', `The question has more than ${MAX_QUESTION} characters.`, {
      field: 'query',
    });
  const question = query.normalize('NFC').trim();
  if (!/[\p{L}\p{N}]/u.test(question))
    throw new CodedError('QUERY_EMPTY', 'The question has no letter and no digit.', { field: 'query' });
  return question;
};

export const checkFirst = (first: number = DEFAULT_FIRST): number => {
  if (Number.isInteger(first) && first >= 1 && first <= MAX_FIRST) return first;
  throw new CodedError('INPUT_INVALID', `"first" must be a whole number of 1 to ${MAX_FIRST}, but is ${first}.`, {
    field: 'first',
  });
};

export const checkOptions = (options: unknown): SearchOptions => {
  const parsed = SearchOptions.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CodedError('INPUT_INVALID', `The options are wrong at "${pathOf(issue)}": ${issue?.message}.`, {
    field: `options.${pathOf(issue)}`,
  });
};

const FIELDS: Record<keyof SearchFilter, string> = {
  documents: 'list of ids',
  collections: 'list of texts',
  sourceTypes: 'list of texts',
  contentTypes: 'list of texts',
  languages: 'list of ISO 639-1 codes',
  createdFrom: 'ISO 8601 date',
  createdTo: 'ISO 8601 date',
  addedFrom: 'ISO 8601 date',
  addedTo: 'ISO 8601 date',
  titleWords: 'list of words',
  metadata: 'list of { key, value }, the value a text, number or boolean',
};
const DATES = ['createdFrom', 'createdTo', 'addedFrom', 'addedTo'] as const;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** The filter with its dates in UTC; undefined where it holds no condition. Throws FILTER_INVALID, naming every known field. */
export const checkFilter = (filter: unknown): SearchFilter | undefined => {
  if (filter === undefined || filter === null) return undefined;
  const parsed = SearchFilter.safeParse(withoutNulls(filter));
  if (!parsed.success) throw filterInvalid(parsed.error.issues[0]);
  const checked: SearchFilter = { ...parsed.data };
  for (const field of DATES) {
    const given = checked[field];
    if (given === undefined) continue;
    const time = ISO_DATE.test(given) ? Date.parse(inUtc(given)) : NaN;
    if (Number.isNaN(time)) throw filterInvalid({ path: [field], message: `"${given}" is no date` });
    checked[field] = new Date(time).toISOString();
  }
  return Object.keys(checked).length > 0 ? checked : undefined;
};

/** A time without a zone is UTC, as a date without a time is. */
const inUtc = (date: string): string => (/T[\d:.]+$/.test(date) ? `${date}Z` : date);

/** GraphQL gives null for what was left out. */
const withoutNulls = (filter: unknown): unknown =>
  typeof filter === 'object' && filter !== null && !Array.isArray(filter)
    ? Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null))
    : filter;

const filterInvalid = (issue: Pick<z.core.$ZodIssue, 'path' | 'message'> | undefined): CodedError => {
  const known = Object.entries(FIELDS).map(([field, type]) => `${field} (${type})`);
  const path = pathOf(issue);
  const field = path === '' ? 'filter' : `filter.${path}`;
  return new CodedError('FILTER_INVALID', `${field}: ${issue?.message}. Known fields: ${known.join(', ')}.`, { field });
};

const pathOf = (issue: { path: readonly PropertyKey[] } | undefined): string =>
  (issue?.path ?? []).map(String).join('.');
