import type { Unit } from './date-words.js';

/** Milliseconds since 1970, UTC; `from` belongs to it, `to` does not. */
export interface Period {
  from: number;
  to: number;
}

/** A day, month or year of the calendar; undefined where there is no such one. */
export const calendarPeriod = (year: number, month?: number, day?: number): Period | undefined => {
  if (month === undefined) return { from: Date.UTC(year, 0, 1), to: Date.UTC(year + 1, 0, 1) };
  if (month < 1 || month > 12) return undefined;
  if (day === undefined) return { from: Date.UTC(year, month - 1, 1), to: Date.UTC(year, month, 1) };
  const from = Date.UTC(year, month - 1, day);
  return new Date(from).getUTCDate() === day && day > 0 ? { from, to: Date.UTC(year, month - 1, day + 1) } : undefined;
};

/** The whole day, ISO week, month, quarter or year that lies so many before now's. */
export const unitsBack = (now: Date, unit: Unit, back: number): Period => {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const monday = day - ((now.getUTCDay() + 6) % 7);
  const quarter = month - (month % 3);
  switch (unit) {
    case 'day':
      return { from: Date.UTC(year, month, day - back), to: Date.UTC(year, month, day - back + 1) };
    case 'week':
      return { from: Date.UTC(year, month, monday - 7 * back), to: Date.UTC(year, month, monday - 7 * (back - 1)) };
    case 'month':
      return { from: Date.UTC(year, month - back, 1), to: Date.UTC(year, month - back + 1, 1) };
    case 'quarter':
      return { from: Date.UTC(year, quarter - 3 * back, 1), to: Date.UTC(year, quarter - 3 * (back - 1), 1) };
    case 'year':
      return { from: Date.UTC(year - back, 0, 1), to: Date.UTC(year - back + 1, 0, 1) };
  }
};

/** The last so many units up to the end of today. A day that the earlier month lacks becomes its last one. */
export const lastUnits = (now: Date, unit: Unit, count: number): Period => {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const to = Date.UTC(year, month, day + 1);
  if (unit === 'day' || unit === 'week') return { from: to - count * (unit === 'day' ? 1 : 7) * DAY, to };
  const months = count * { month: 1, quarter: 3, year: 12 }[unit];
  const lastDay = new Date(Date.UTC(year, month - months + 1, 0)).getUTCDate();
  return { from: Date.UTC(year, month - months, Math.min(day, lastDay)), to };
};

/** The latest such month or day that has begun; with `over`, the latest that is over. 29 February goes back to a leap year. */
export const latest = (now: Date, month: number, day?: number, over = false): Period | undefined => {
  for (let year = now.getUTCFullYear(), tries = 0; tries < 9; year--, tries++) {
    const period = calendarPeriod(year, month, day);
    if (period && (over ? period.to : period.from) <= now.getTime()) return period;
  }
  return undefined;
};

/** The latest such weekday before today; 0 is Monday. */
export const latestWeekday = (now: Date, weekday: number): Period =>
  unitsBack(now, 'day', ((now.getUTCDay() + 6 - weekday + 6) % 7) + 1);

const DAY = 86_400_000;
