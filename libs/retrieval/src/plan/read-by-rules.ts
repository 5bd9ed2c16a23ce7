import type { KnownValues, PlanEntity, Reading } from '@postmaster/contracts';
import { isFunctionWord } from '../function-words.js';
import { DETERMINERS } from './document-words.js';
import { documentRequest, type Span } from './document-request.js';
import { favoured } from './favoured.js';
import { findDates } from './find-dates.js';
import { questionKind } from './question-kind.js';
import { settleWishes } from './settle-wishes.js';
import { wordSet, wordsOf } from './words-of.js';

/** What rules read in a request before they know what there is; `settle` is there where it may come to conditions. */
export interface RuleReading {
  reading: Reading;
  settle?: (known: KnownValues) => Reading;
}

/** Nobody asks for a document in more words; a longer text is searched for as it is. */
const LONGEST = 500;
const MOST_NAMED = 10;
const MOST_CONDITIONS = 8;

/**
 * Reads a request by tables of words, in Danish and English, with dates relative to `now` in UTC. A plain question keeps
 * its words and gets no condition, whatever it names; only a request for documents does (see documentRequest).
 */
export const readByRules = (request: string, now: Date): RuleReading => {
  const short = request.length <= LONGEST;
  const dates = short ? findDates(request, now) : [];
  const asked = short ? documentRequest(request, dates) : undefined;
  const senders = (asked?.wishes ?? []).flatMap((wish): PlanEntity[] =>
    wish.is === 'sender' ? [{ text: wish.name, role: 'sender' }] : [],
  );
  const mentions = namesIn(request, [...dates, ...(asked?.wishes ?? [])]);
  const reading: Reading = {
    kind: asked ? 'document' : questionKind(request),
    searchText: request,
    keywords: quotedIn(request),
    entities: [...senders, ...mentions.map((text): PlanEntity => ({ text, role: 'mention' }))].slice(0, MOST_NAMED),
    dates: dates.slice(0, MOST_NAMED).map(({ words, from, to }) => ({ words, from: iso(from), to: iso(to) })),
    conditions: [],
    favour: {},
    variations: [],
  };
  if (!asked) return { reading: { ...reading, favour: favoured(reading.kind) } };
  return {
    reading,
    settle: (known) => {
      const settled = settleWishes(request, asked.wishes, known).slice(0, MOST_CONDITIONS);
      if (settled.length === 0) return reading;
      const spent = [asked.opening, ...settled.flatMap((one) => one.spent ?? [])];
      const kinds = asked.wishes.filter(({ is }) => is === 'kind').map(({ start, end }) => request.slice(start, end));
      return {
        ...reading,
        conditions: settled.map(({ condition }) => condition),
        searchText: wordsBut(request, spent) || kinds.join(' ') || request,
        favour: favoured('document'),
      };
    },
  };
};

const DETERMINER = wordSet(DETERMINERS);

/** The words that say something, without what became a condition. */
const wordsBut = (request: string, spent: readonly Span[]): string =>
  wordsOf(request)
    .filter(({ start }) => !spent.some((span) => start >= span.start && start < span.end))
    .filter(({ text, lower }) => !DETERMINER.has(lower) && (!isFunctionWord(lower) || isAcronym(text)))
    .map(({ text }) => text)
    .join(' ');

const isAcronym = (text: string): boolean => /^\p{Lu}[\p{Lu}\p{N}]+$/u.test(text);

const quotedIn = (request: string): string[] =>
  [...request.matchAll(/["“”«]([^"“”«»]{1,200})["“”»]/gu)]
    .map(([, inside]) => inside!.trim())
    .filter(Boolean)
    .slice(0, MOST_NAMED);

/** Names (words with a capital that are not the first, in a row) and codes (a digit among letters or signs, or five digits). */
const namesIn = (request: string, taken: readonly Span[]): string[] => {
  if (request === request.toUpperCase()) return [];
  const names: string[] = [];
  let last = -1;
  for (const [at, { text, start, end }] of wordsOf(request).entries()) {
    if (taken.some((span) => start >= span.start && start < span.end)) continue;
    const code = /\d/.test(text) && (/[^\d.,]/.test(text) || text.length >= 5);
    const name = code || (/^\p{Lu}/u.test(text) && (at > 0 || isAcronym(text)));
    if (!name) continue;
    if (last >= 0 && request.slice(last, start) === ' ' && !code) names.push(`${names.pop()} ${text}`);
    else names.push(text);
    last = code ? -1 : end;
  }
  return [...new Set(names)];
};

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
