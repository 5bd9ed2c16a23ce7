/** The words of dates in Danish and English but for the months, in lower case. Both are looked for in any request. */

/** From Monday, as ISO 8601 counts; the Danish "i mandags" is the one that has been. */
export const WEEKDAYS: readonly string[] = [
  'monday mandag mandags',
  'tuesday tirsdag tirsdags',
  'wednesday onsdag onsdags',
  'thursday torsdag torsdags',
  'friday fredag fredags',
  'saturday lørdag lørdags',
  'sunday søndag søndags',
];

export const UNITS = {
  day: 'day days dag dage dages',
  week: 'week weeks uge uger uges ugers',
  month: 'month months måned måneder måneds måneders',
  quarter: 'quarter quarters kvartal kvartaler kvartals',
  year: 'year years år års',
} as const satisfies Record<string, string>;
export type Unit = keyof typeof UNITS;

export const NUMBERS: Readonly<Record<string, number>> = {
  ...{
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    twelve: 12,
  },
  ...{ en: 1, et: 1, to: 2, tre: 3, fire: 4, fem: 5, seks: 6, syv: 7, otte: 8, ni: 9, ti: 10, tolv: 12 },
};

export const THIS = 'this denne dette';
export const LAST = 'last previous past sidste forrige seneste';

/** Whole expressions for a day or a year, counted from today's: [unit, how many back]. */
export const FIXED: Readonly<Record<string, readonly [Unit, number]>> = {
  today: ['day', 0],
  'i dag': ['day', 0],
  yesterday: ['day', 1],
  'i går': ['day', 1],
  'i forgårs': ['day', 2],
  'i år': ['year', 0],
  'i fjor': ['year', 1],
};

/** What stands before a date and says how it bounds. */
export const LEADS = {
  /** The date of what was named just before. */
  in: 'in during on i under den d d.',
  /** The date of the document, whatever stands between. */
  of: 'from dated sent received written created fra dateret sendt modtaget skrevet oprettet',
  since: 'since siden',
  after: 'after efter',
  before: 'before until prior by før inden',
  /** What the document is about, not when it was made. */
  about: 'for about regarding om vedrørende angående',
} as const satisfies Record<string, string>;
export type Lead = keyof typeof LEADS;

/** "from March to May", "mellem marts og maj" */
export const RANGE_BEGINS = 'between from mellem fra';
export const RANGE_JOINS = 'and to until till og til – -';
