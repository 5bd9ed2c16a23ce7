import { MONTHS } from '@postmaster/contracts';
import {
  FIXED,
  LAST,
  type Lead,
  LEADS,
  NUMBERS,
  RANGE_BEGINS,
  RANGE_JOINS,
  THIS,
  type Unit,
  UNITS,
  WEEKDAYS,
} from './date-words.js';
import { calendarPeriod, lastUnits, latest, latestWeekday, type Period, unitsBack } from './periods.js';
import { anyOf, wholeWords } from './word-pattern.js';

/** A date or period in a text, with the words that lead to it. Offsets are UTF-16; null means unbounded. */
export interface FoundDate {
  start: number;
  end: number;
  words: string;
  from: number | null;
  to: number | null;
  lead: Lead | null;
}

/** `weak`: alone it is more often another word ("may", "march"), or a number. */
type Candidate = Omit<FoundDate, 'words'> & { weak: boolean };
type Groups = Record<string, string | undefined>;
interface Pattern {
  pattern: RegExp;
  period: (groups: Groups, now: Date) => Period | undefined;
  weak?: true;
}

const month = anyOf(...MONTHS);
const unit = anyOf(...Object.values(UNITS));
const count = String.raw`(?:\d{1,3}|${anyOf(Object.keys(NUMBERS).join(' '))})`;
const year = String.raw`(?<![-/.])(?<year>(?:19|20)\d{2})(?![-/]|[.,]\d)`;
const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|\.)?`;

/** The first that fits a place counts. */
const PATTERNS: readonly Pattern[] = [
  {
    pattern: wholeWords(String.raw`(?<year>\d{4})-(?<month>\d{2})(?:-(?<day>\d{2}))?(?!-)`, 'g'),
    period: ({ year, month, day }) => calendarPeriod(Number(year), Number(month), day ? Number(day) : undefined),
  },
  {
    pattern: wholeWords(String.raw`(?<day>\d{1,2})[./-](?<month>\d{1,2})[./-](?<year>(?:19|20)\d{2})`, 'g'),
    period: ({ year, month, day }) => calendarPeriod(Number(year), Number(month), Number(day)),
  },
  {
    pattern: wholeWords(`(?<first>\\d{1,2})\\.?(?: ?[-–] ?| to | til )${day} (?<month>${month})(?:,? ${year})?`, 'g'),
    period: ({ first, year, month, day }, now) => {
      const last = year
        ? calendarPeriod(Number(year), monthOf(month), Number(day))
        : latest(now, monthOf(month), Number(day));
      const of = last && calendarPeriod(new Date(last.from).getUTCFullYear(), monthOf(month), Number(first));
      return of && of.from < last.to ? { from: of.from, to: last.to } : undefined;
    },
  },
  {
    pattern: wholeWords(`${day} (?:of )?(?<month>${month})(?:,? ${year})?`, 'g'),
    period: ({ year, month, day }, now) =>
      year ? calendarPeriod(Number(year), monthOf(month), Number(day)) : latest(now, monthOf(month), Number(day)),
  },
  {
    pattern: wholeWords(`(?<month>${month}) ${day}(?:,? ${year})?`, 'g'),
    period: ({ year, month, day }, now) =>
      year ? calendarPeriod(Number(year), monthOf(month), Number(day)) : latest(now, monthOf(month), Number(day)),
  },
  {
    pattern: wholeWords(
      `(?<month>${month})(?:,? (?:of )?${year}| (?:in |i )?(?:(?<this>this year|i år)|last year|sidste år|i fjor))`,
      'g',
    ),
    period: (groups, now) => {
      const ofNow = now.getUTCFullYear() - (groups.this ? 0 : 1);
      return calendarPeriod(groups.year ? Number(groups.year) : ofNow, monthOf(groups.month));
    },
  },
  {
    pattern: wholeWords(`(?:${anyOf(LAST)} )(?<month>${month})`, 'g'),
    period: ({ month }, now) => latest(now, monthOf(month), undefined, true),
  },
  {
    pattern: wholeWords(`(?<month>${month})s?`, 'g'),
    period: ({ month }, now) => latest(now, monthOf(month)),
    weak: true,
  },
  {
    pattern: wholeWords(String.raw`(?:q(?<q>[1-4])|(?<n>[1-4])\. kvartal)(?: (?:of |i )?)${year}`, 'g'),
    period: ({ q, n, year }) => {
      const first = 3 * (Number(q ?? n) - 1);
      return { from: Date.UTC(Number(year), first, 1), to: Date.UTC(Number(year), first + 3, 1) };
    },
  },
  {
    pattern: wholeWords(`(?<fixed>${Object.keys(FIXED).join('|')})(?:['’]s)?`, 'g'),
    period: ({ fixed }, now) => unitsBack(now, ...FIXED[fixed!.toLowerCase()]!),
  },
  {
    pattern: wholeWords(`(?<count>${count}) (?<unit>${unit}) ago|for (?<antal>${count}) (?<enhed>${unit}) siden`, 'g'),
    period: ({ count, antal, unit, enhed }, now) => unitsBack(now, unitOf(unit ?? enhed), numberOf(count ?? antal)),
  },
  {
    pattern: wholeWords(`${anyOf(LAST)} (?<count>${count}) (?<unit>${unit})(?:['’]s?)?`, 'g'),
    period: ({ count, unit }, now) => lastUnits(now, unitOf(unit), numberOf(count)),
  },
  {
    pattern: wholeWords(`(?:(?<this>${anyOf(THIS)})|${anyOf(LAST)}) (?<unit>${unit})(?:['’]s)?`, 'g'),
    period: (groups, now) => unitsBack(now, unitOf(groups.unit), groups.this ? 0 : 1),
  },
  {
    pattern: wholeWords(`(?:${anyOf(LAST)} |on |i )(?<weekday>${anyOf(...WEEKDAYS)})`, 'g'),
    period: ({ weekday }, now) => latestWeekday(now, placeIn(WEEKDAYS, weekday)),
  },
  { pattern: wholeWords(year, 'g'), period: ({ year }) => calendarPeriod(Number(year)), weak: true },
];

/** Each pattern needs one of these, or a digit. */
const TELLING = new Set(
  [...MONTHS, ...WEEKDAYS, ...Object.values(UNITS), ...Object.keys(FIXED)]
    .flatMap((words) => words.split(' '))
    .filter((word) => word.length > 1) // the Danish "i" of "i går" tells nothing
    .flatMap((word) => [word, `${word}s`]),
);
const WORD = /[\p{L}\p{N}]+/gu;

/** Most questions name no date, and the patterns take more time than all the rest of a plan. */
const mayName = (text: string): boolean =>
  /\d/.test(text) || (text.toLowerCase().match(WORD) ?? []).some((word) => TELLING.has(word));

/** The dates of a text in its order, relative to `now`, in UTC. Of two that overlap, the more telling one. */
export const findDates = (text: string, now: Date): FoundDate[] => {
  if (!mayName(text)) return [];
  const found: Candidate[] = [];
  const read: { start: number; end: number }[] = []; // also what is of a date's form and is none: 29 February 2023
  for (const { pattern, period, weak = false } of PATTERNS)
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (read.some((other) => start < other.end && other.start < end)) continue;
      read.push({ start, end });
      const of = period(match.groups ?? {}, now);
      if (!of) continue;
      const lead = leadBefore(wordsBefore(text, start));
      found.push({ ...bounded(of, lead.is), start: start - lead.length, end, lead: lead.is, weak });
    }
  return joined(
    text,
    found.sort((a, b) => a.start - b.start),
  )
    .filter(({ weak, lead }) => !weak || lead !== null)
    .map(({ weak: _, ...date }) => ({ ...date, words: text.slice(date.start, date.end) }));
};

const bounded = ({ from, to }: Period, lead: Lead | null): Pick<FoundDate, 'from' | 'to'> => {
  if (lead === 'since') return { from, to: null };
  if (lead === 'after') return { from: to, to: null };
  return lead === 'before' ? { from: null, to: from } : { from, to };
};

/** As much of what stands before as a lead may take. */
const wordsBefore = (text: string, at: number): string => text.slice(Math.max(0, at - 30), at);

const LEAD_BEFORE = Object.entries(LEADS).map(
  ([lead, words]) =>
    [lead as Lead, new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf(words)}) (?:(?:the|de|den) )?$`, 'iu')] as const,
);
const leadBefore = (before: string): { is: Lead | null; length: number } => {
  for (const [is, pattern] of LEAD_BEFORE) {
    const length = pattern.exec(before)?.[0].length;
    if (length) return { is, length };
  }
  return { is: null, length: 0 };
};

const JOINED = new RegExp(`^ ?${anyOf(RANGE_JOINS)} (?:the |den |d\\. )?$`, 'iu');
const BEGUN = new RegExp(`(?<![\\p{L}\\p{N}])${anyOf(RANGE_BEGINS)} (?:the |den |d\\. )?$`, 'iu');

/** "between March and May": one period of two. */
const joined = (text: string, dates: readonly Candidate[]): Candidate[] => {
  const all: Candidate[] = [];
  for (const date of dates) {
    const before = all.at(-1);
    const opening = before ? BEGUN.exec(wordsBefore(text, before.start)) : null;
    if (before && (before.lead === 'of' || opening) && JOINED.test(text.slice(before.end, date.start))) {
      const start = before.start - (opening?.[0].length ?? 0);
      all[all.length - 1] = { ...before, ...inOrder(before.from, date.to), start, end: date.end, lead: 'in' };
    } else all.push(date);
  }
  return all;
};

/** The first of two has the year of the second where it names none: it never lies behind it. */
const inOrder = (from: number | null, to: number | null): Pick<Candidate, 'from' | 'to'> => {
  if (from === null || to === null) return { from, to };
  const begin = new Date(from);
  while (begin.getTime() >= to) begin.setUTCFullYear(begin.getUTCFullYear() - 1);
  return { from: begin.getTime(), to };
};

const placeIn = (table: readonly string[], word = ''): number =>
  table.findIndex((words) => words.split(' ').includes(word.toLowerCase()));
const monthOf = (word?: string): number => placeIn(MONTHS, word) + 1;
const unitOf = (word = ''): Unit =>
  (Object.keys(UNITS) as Unit[]).find((unit) => UNITS[unit].split(' ').includes(word.toLowerCase()))!; // the pattern holds no other word
const numberOf = (word = ''): number => NUMBERS[word.toLowerCase()] ?? Number(word);
