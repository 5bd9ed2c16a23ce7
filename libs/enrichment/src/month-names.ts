import { MONTHS } from '@postmaster/contracts';

/** 1…12 by name, in lower case. */
export const MONTH_OF: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)),
);

/** Any of the names, for a pattern; the longest first. */
export const MONTH_NAME = [...MONTH_OF.keys()].sort((a, b) => b.length - a.length).join('|');
