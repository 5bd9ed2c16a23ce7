import { CodedError, type SearchFilter } from '@postmaster/contracts';

export type DateField = 'createdFrom' | 'createdTo' | 'addedFrom' | 'addedTo';

/** Milliseconds since 1970 of an ISO 8601 date; null for what is none. */
export const milliseconds = (date: string | null): number | null => {
  const time = date === null ? NaN : Date.parse(date);
  return Number.isNaN(time) ? null : time;
};

/** A filter's date in milliseconds since 1970; undefined where it has none. Throws FILTER_INVALID for what is no date. */
export const filterTime = (field: DateField, filter: SearchFilter): number | undefined => {
  const text = filter[field];
  if (text === undefined) return undefined;
  const time = milliseconds(text);
  if (time === null)
    throw new CodedError('FILTER_INVALID', `filter.${field} should be an ISO 8601 date but is "${text}".`, { field });
  return time;
};
