import type { PointPayload, SearchFilter } from '@postmaster/contracts';
import { type DateField, filterTime, milliseconds } from './dates.js';
import { wordsOf } from './text-words.js';

/**
 * What `pointCondition` says in SQL, for points in memory: whether an active point passes a filter. Throws
 * FILTER_INVALID for what is no date.
 */
export const passesFilter = (filter: SearchFilter = {}): ((payload: PointPayload) => boolean) => {
  const { documents, collections, sourceTypes, contentTypes, languages } = filter;
  const tests: ((payload: PointPayload) => boolean)[] = [
    ({ active }) => active,
    ...oneOf(documents, ({ document }) => document),
    ...oneOf(collections, ({ collection }) => collection),
    ...oneOf(sourceTypes, ({ sourceType }) => sourceType),
    ...oneOf(contentTypes, ({ contentType }) => contentType),
    ...oneOf(languages, ({ language }) => language),
    ...date('createdFrom', filter, ({ createdAt }, from) => at(createdAt) >= from),
    ...date('createdTo', filter, ({ createdAt }, to) => at(createdAt) < to),
    ...date('addedFrom', filter, ({ addedAt }, from) => at(addedAt) >= from),
    ...date('addedTo', filter, ({ addedAt }, to) => at(addedAt) < to),
    ...titleWords(filter.titleWords),
    ...(filter.metadata ?? []).map(
      ({ key, value }) =>
        (payload: PointPayload) =>
          held(payload, key) === value,
    ),
  ];
  return (payload) => tests.every((test) => test(payload));
};

type Test = (payload: PointPayload) => boolean;

const oneOf = (values: readonly string[] | undefined, of: (payload: PointPayload) => string | null): Test[] => {
  if (values === undefined) return [];
  const among = new Set<string | null>(values);
  return [(payload) => among.has(of(payload))];
};

/** Every comparison with what is no date is false. */
const at = (text: string | null): number => milliseconds(text) ?? NaN;

const date = (
  field: DateField,
  filter: SearchFilter,
  test: (payload: PointPayload, time: number) => boolean,
): Test[] => {
  const time = filterTime(field, filter);
  return time === undefined ? [] : [(payload) => test(payload, time)];
};

/** What is no word, as "—", is no word of any title. */
const titleWords = (words: readonly string[] | undefined): Test[] => {
  if (!words || words.length === 0) return [];
  const wanted = words.map(wordsOf);
  if (wanted.some(({ length }) => length === 0)) return [() => false];
  return [
    ({ title }) => {
      const present = new Set(wordsOf(title));
      return wanted.flat().every((term) => present.has(term));
    },
  ];
};

const held = ({ metadata }: PointPayload, key: string): unknown =>
  Object.hasOwn(metadata, key) ? metadata[key] : undefined;
