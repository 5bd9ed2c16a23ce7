import { describe, expect, it } from 'vitest';
import { findDates } from './find-dates.js';

const SATURDAY = '2026-11-21T10:00:00Z';
const NEW_YEAR = '2027-01-01T00:30:00Z'; // a Friday
const LEAP_DAY = '2028-02-29T12:00:00Z'; // a Tuesday

const periodIn = (text: string, now: string): string[] =>
  findDates(text, new Date(now)).map(({ from, to }) =>
    [from, to].map((time) => (time === null ? '' : new Date(time).toISOString().slice(0, 10))).join('/'),
  );

describe('a date in words', () => {
  it.each([
    ['2024-05-03', SATURDAY, '2024-05-03/2024-05-04'],
    ['3.5.2024', SATURDAY, '2024-05-03/2024-05-04'],
    ['May 3rd, 2024', SATURDAY, '2024-05-03/2024-05-04'],
    ['d. 3. maj', SATURDAY, '2026-05-03/2026-05-04'],
    ['den 24. december', SATURDAY, '2025-12-24/2025-12-25'],
    ['in November', SATURDAY, '2026-11-01/2026-12-01'],
    ['last November', SATURDAY, '2025-11-01/2025-12-01'],
    ['i december', SATURDAY, '2025-12-01/2026-01-01'],
    ['October last year', SATURDAY, '2025-10-01/2025-11-01'],
    ['2. kvartal 2025', SATURDAY, '2025-04-01/2025-07-01'],
    ['sidste kvartal', SATURDAY, '2026-07-01/2026-10-01'],
    ['i mandags', SATURDAY, '2026-11-16/2026-11-17'],
    ['last Saturday', SATURDAY, '2026-11-14/2026-11-15'],
    ['three months ago', SATURDAY, '2026-08-01/2026-09-01'],
    ['after May 2024', SATURDAY, '2024-06-01/'],
    ['efter 2020', SATURDAY, '2021-01-01/'],
    ['før juni 2024', SATURDAY, '/2024-06-01'],
    ['from December to January', SATURDAY, '2025-12-01/2026-02-01'],
    // over the end of a year
    ['yesterday', NEW_YEAR, '2026-12-31/2027-01-01'],
    ['this week', NEW_YEAR, '2026-12-28/2027-01-04'],
    ['sidste uge', NEW_YEAR, '2026-12-21/2026-12-28'],
    ['last month', NEW_YEAR, '2026-12-01/2027-01-01'],
    ['last quarter', NEW_YEAR, '2026-10-01/2027-01-01'],
    ['i fjor', NEW_YEAR, '2026-01-01/2027-01-01'],
    ['last January', NEW_YEAR, '2026-01-01/2026-02-01'],
    ['in January', NEW_YEAR, '2027-01-01/2027-02-01'],
    ['de sidste 2 dage', NEW_YEAR, '2026-12-31/2027-01-02'],
    // leap years
    ['29 February', SATURDAY, '2024-02-29/2024-03-01'],
    ['29. februar 2028', SATURDAY, '2028-02-29/2028-03-01'],
    ['in February 2024', SATURDAY, '2024-02-01/2024-03-01'],
    ['last year', LEAP_DAY, '2027-01-01/2028-01-01'],
    ['the last 12 months', LEAP_DAY, '2027-02-28/2028-03-01'],
    ['sidste måned', LEAP_DAY, '2028-01-01/2028-02-01'],
  ])('"%s" on %s is %s', (text, now, expected) => expect(periodIn(text, now)).toEqual([expected]));

  it.each([
    ['it may rain'],
    ['march on'],
    ['29 February 2023'],
    ['31.4.2024'],
    ['invoice INV-2024-0012'],
    ['1898'],
    ['room 2024-b'],
    ['version 3.5.2'],
    ['10,2024 units'],
  ])('there is none in "%s"', (text) => expect(periodIn(text, SATURDAY)).toEqual([]));

  it('counts in UTC, wherever the machine stands', () =>
    expect(periodIn('today', '2026-12-31T23:59:59Z')).toEqual(['2026-12-31/2027-01-01']));
});
