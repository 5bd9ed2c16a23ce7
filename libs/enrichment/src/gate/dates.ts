import { MONTH_NAME as NAME, MONTH_OF } from '../month-names.js';

/** A date as far as it is said. Months are 1…12. */
export interface SaidDate {
  year?: number;
  month: number;
  day?: number;
}

/** 1…12 for the Danish or English name of a month, written out or short. */
export const monthOf = (word: string): number | undefined =>
  MONTH_OF.get(word.toLowerCase().replace(/\.$|['’]s$/u, ''));

const YEAR = '(1\\d{3}|20\\d{2})';
const DAY = '([0-3]?\\d)(?:st|nd|rd|th|\\.)?';
const FORMS: readonly { form: RegExp; read: (parts: readonly (string | undefined)[]) => SaidDate[] }[] = [
  { form: new RegExp(`\\b${YEAR}-([01]\\d)-([0-3]\\d)\\b`, 'giu'), read: ([y, m, d]) => [said(y, m, d)] },
  {
    form: new RegExp(`\\b([0-3]?\\d)([./-])([0-3]?\\d)\\2${YEAR}\\b`, 'giu'),
    read: ([a, , b, y]) => [said(y, b, a), said(y, a, b)],
  },
  {
    form: new RegExp(`\\b${DAY}\\s*(?:of\\s+)?(${NAME})\\b\\.?(?:,?\\s+${YEAR}\\b)?`, 'giu'),
    read: ([d, m, y]) => [said(y, m, d)],
  },
  {
    form: new RegExp(`\\b(${NAME})\\b\\.?\\s+${DAY}(?![\\d])(?:,?\\s+${YEAR}\\b)?`, 'giu'),
    read: ([m, d, y]) => [said(y, m, d)],
  },
  { form: new RegExp(`\\b(${NAME})\\b\\.?,?\\s+(?:of\\s+)?${YEAR}\\b`, 'giu'), read: ([m, y]) => [said(y, m)] },
];

const said = (year: string | undefined, month = '', day?: string): SaidDate => ({
  ...(year && { year: Number(year) }),
  month: monthOf(month) ?? Number(month),
  ...(day && { day: Number(day) }),
});

/**
 * The dates of a text with at least a month, however Danish or English writes them, and the text without them.
 * Each comes with all that it may mean: 3/4/2024 is two days.
 */
export const datesIn = (text: string): { dates: SaidDate[][]; rest: string } => {
  const dates: SaidDate[][] = [];
  let rest = text;
  for (const { form, read } of FORMS)
    rest = rest.replace(form, (whole: string, ...groups: unknown[]) => {
      const parts = groups.filter((part): part is string | undefined => typeof part === 'string' || part === undefined);
      const readings = read(parts.slice(0, -1)).filter(
        ({ month, day = 1 }) => month >= 1 && month <= 12 && day >= 1 && day <= 31,
      );
      if (readings.length === 0) return whole;
      dates.push(readings);
      return ' '.repeat(whole.length);
    });
  return { dates, rest };
};

/** Whether one says nothing that the other denies, and both mean the same month. */
export const sameDate = (a: SaidDate, b: SaidDate): boolean =>
  a.month === b.month &&
  (a.day === undefined || b.day === undefined || a.day === b.day) &&
  (a.year === undefined || b.year === undefined || a.year === b.year);
