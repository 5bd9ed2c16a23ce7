import type { DocumentType } from '@postmaster/contracts';
import type { ReadText } from './document-text.js';
import type { Found } from './found.js';
import { labelled, labelPattern } from './labels.js';
import { type FoundDay, readMonths } from './read-dates.js';
import { LABELS } from './words.js';

const DATE = labelPattern(LABELS.date);
const DUE = labelPattern(LABELS.dueDate);
const DUE_IN_TEXT = /(?:forfalder til betaling|betale senest|betales senest|due|payable by|pay by)(?: den| on)?\s$/iu;
const BETWEEN = /^\s*(?:-|–|—|til|to|until|og løber til|through)\s*(?:den\s)?$/iu;
const AFTER_STAY = /^,?\s*(?:departure|afrejse|check-out)\s*:?\s*$/iu;
const IN_MONTH = /(?:\bfor|,|periode:?|måned:?)\s*$/iu;

/** The day that the document bears, the day that it is due, and the days that it is for. */
export const dateFields = (read: ReadText, type: DocumentType): Found[] => {
  const { days, text } = read;
  const due = labelledDay(read, DUE) ?? days.find(({ start }) => DUE_IN_TEXT.test(text.slice(start - 40, start)));
  const pair = days.findIndex((day, at) => isPair(text, day, days[at + 1]));
  const [from, to] = pair < 0 ? [] : [days[pair], days[pair + 1]];
  const month = from ? undefined : readMonths(text).find(({ start }) => IN_MONTH.test(text.slice(start - 12, start)));
  const taken = new Set([due, ...(type === 'ticket' ? [] : [from, to])]);
  const date = dateOf(read, type, taken);
  return [
    ...(date ? [{ name: 'date', value: date.day, at: [date] } as const] : []),
    ...(due && due !== date ? [{ name: 'dueDate', value: due.day, at: [due] } as const] : []),
    ...(from && to && date !== from
      ? [{ name: 'servicePeriod', value: { from: from.day, to: to.day }, at: [from, to] } as const]
      : []),
    ...(month ? [{ name: 'servicePeriod', value: { from: month.from, to: month.to }, at: [month] } as const] : []),
  ];
};

const isPair = (text: string, from: FoundDay, to: FoundDay | undefined): boolean => {
  const between = to && text.slice(from.end, to.start);
  return between !== undefined && from.day <= to!.day && (BETWEEN.test(between) || AFTER_STAY.test(between));
};

const labelledDay = ({ lines, days }: ReadText, labels: RegExp): FoundDay | undefined => {
  for (const value of labelled(lines, labels)) {
    const day = days.find(({ start }) => start >= value.start && start < value.end);
    if (day) return day;
  }
  return undefined;
};

/** By its label; else of a letter the day on a line by itself or after a place; else the first one that nothing else has. */
const dateOf = (read: ReadText, type: DocumentType, taken: ReadonlySet<FoundDay | undefined>): FoundDay | undefined => {
  const free = read.days.filter((day) => !taken.has(day));
  const byLabel = labelledDay({ ...read, days: free }, DATE);
  if (byLabel || (type !== 'letter' && type !== 'contract')) return byLabel ?? free[0];
  const heads = read.lines.filter(({ text }) => text.length <= 60);
  const alone = free.find((day) =>
    heads.some(({ start, end }) => day.end === end && isPlaceBefore(read.text.slice(start, day.start))),
  );
  const made = free.find(({ start }) =>
    /(?:made on|dated|indgået den|indgået)\s$/iu.test(read.text.slice(start - 20, start)),
  );
  return alone ?? made ?? (type === 'contract' ? undefined : free[0]);
};

/** "Svendborg, den ", "Glossop, " or nothing. */
export const isPlaceBefore = (text: string): boolean => /^(?:\p{Lu}[\p{L} -]{1,30},\s*)?(?:d\.|den)?\s*$/u.test(text);
