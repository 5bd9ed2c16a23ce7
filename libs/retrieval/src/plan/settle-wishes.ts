import type { KnownValues, PlanCondition, Scalar } from '@postmaster/contracts';
import { DOCUMENT_KINDS, KIND_KEYS, SCAN_KEYS, SENDER_KEYS, SOLD, VENDOR_KEYS } from './document-words.js';
import type { Span, Wish } from './document-request.js';
import { wordSet, wordsOf } from './words-of.js';

/** A condition, and the words that are not searched for any more where it holds; none where they still say something. */
export interface Settled {
  condition: PlanCondition;
  spent: Span | null;
}

const KIND_OF = wordSet(KIND_KEYS);
const SENDER_OF = wordSet(SENDER_KEYS);
const VENDOR_OF = wordSet(VENDOR_KEYS);
const SCAN_OF = wordSet(SCAN_KEYS);

/**
 * The conditions that wishes come to with what a tenant has. What is not there becomes none. How sure each is says what
 * it rests on: a name that exists is surer than a date that may be the subject's.
 */
export const settleWishes = (request: string, wishes: readonly Wish[], known: KnownValues): Settled[] =>
  wishes.flatMap((wish) => settle(wish, request, known, wishes.some(isSold)) ?? []);

/** Of what is sold, who sold it counts before who sent the mail that it came in. */
const isSold = (wish: Wish): boolean => wish.is === 'kind' && SOLD.has(wish.kind);

const settle = (wish: Wish, request: string, known: KnownValues, sold: boolean): Settled | undefined => {
  const words = request.slice(wish.start, wish.end);
  const spent = { start: wish.start, end: wish.end };
  switch (wish.is) {
    case 'kind':
      return settleKind(wish, known, spent);
    case 'created':
    case 'added': {
      const { from, to } = wish.date;
      if (!meets(known[wish.is], from, to)) return undefined;
      const certainty = wish.is === 'added' || wish.date.lead === 'of' ? 0.8 : wish.date.lead === null ? 0.7 : 0.6;
      return { condition: { field: wish.is, ...isoPeriod(from, to), certainty, words }, spent };
    }
    case 'language':
      return known.languages.includes(wish.code)
        ? { condition: { field: 'language', oneOf: [wish.code], certainty: 0.85, words }, spent }
        : undefined;
    case 'collection':
      for (const { name, ...span } of wish.names) {
        const collection = sameOf(known.collections, name);
        if (collection !== undefined)
          return {
            condition: {
              field: 'collection',
              oneOf: [collection],
              certainty: 0.95,
              words: request.slice(span.start, span.end),
            },
            spent: span,
          };
      }
      return undefined;
    case 'title': // there are too many titles to know them; the condition is relaxed where none has the words
      return { condition: { field: 'title', allOf: [...wish.words], certainty: 0.75, words }, spent: null };
    case 'sender': {
      const fits = (value: Scalar): boolean => holdsWords(value, wish.name);
      const found = (sold && uniqueValue(known, VENDOR_OF, fits)) || uniqueValue(known, SENDER_OF, fits);
      return found && { condition: { field: 'metadata', ...found, certainty: 0.65, words }, spent: null };
    }
    case 'metadata': {
      const key = sameOf(Object.keys(known.metadata), wish.key);
      const equals = known.metadata[key ?? '']?.find((value) => lower(value) === lower(wish.value));
      return key === undefined || equals === undefined
        ? undefined
        : { condition: { field: 'metadata', key, equals, certainty: 1, words }, spent };
    }
  }
};

/** A kind that has a format goes by content type, or else by source; any other by the kind that the metadata name. */
const settleKind = ({ kind, word }: Wish & { is: 'kind' }, known: KnownValues, spent: Span): Settled | undefined => {
  const { contentTypes, sourceTypes = [], words } = DOCUMENT_KINDS[kind]!;
  if (kind === 'scan') {
    const marked = uniqueValue(known, SCAN_OF, (value) => value === true);
    if (marked) return { condition: { field: 'metadata', ...marked, certainty: 0.85, words: word }, spent };
  }
  if (contentTypes) {
    const types = known.contentTypes.filter((type) => contentTypes.some((begin) => type.startsWith(begin)));
    const certainty = kind === 'scan' ? 0.5 : 0.9;
    if (types.length > 0) return { condition: { field: 'content-type', oneOf: types, certainty, words: word }, spent };
    const sources = known.sourceTypes.filter((type) => sourceTypes.includes(type.toLowerCase()));
    return sources.length === 0
      ? undefined
      : { condition: { field: 'source-type', oneOf: sources, certainty, words: word }, spent };
  }
  const named = wordSet(words);
  const found = uniqueValue(known, KIND_OF, (value) => lower(value) === kind || named.has(lower(value)));
  return found && { condition: { field: 'metadata', ...found, certainty: 0.55, words: word }, spent: null };
};

/** The one pair that fits: of several none can be preferred. */
const uniqueValue = (
  { metadata }: KnownValues,
  keys: ReadonlySet<string>,
  fits: (value: Scalar) => boolean,
): { key: string; equals: Scalar } | undefined => {
  const found = Object.entries(metadata)
    .filter(([key]) => keys.has(key.toLowerCase().replace(/[^\p{L}]/gu, '')))
    .flatMap(([key, values]) => values.filter(fits).map((equals) => ({ key, equals })));
  return found.length === 1 ? found[0] : undefined;
};

const holdsWords = (value: Scalar, name: string): boolean => {
  const present = new Set(wordsOf(String(value)).map((word) => word.lower));
  return wordsOf(name).every(({ lower }) => present.has(lower) || present.has(indefinite(lower)));
};

/** "apoteket" asks for "Svane Apotek". */
const indefinite = (word: string): string => (word.length > 5 ? word.replace(/(?:et|en)$/u, '') : word);

const lower = (value: Scalar): string => String(value).toLowerCase();
export const sameOf = (values: readonly string[], name: string): string | undefined =>
  values.find((value) => value === name) ?? values.find((value) => value.toLowerCase() === name.toLowerCase());

/** Whether a period has anything to do with the one in which there are documents. */
export const meets = (known: KnownValues['created'], from: number | null, to: number | null): boolean =>
  known !== null && (from ?? -Infinity) <= Date.parse(known.to) && (to ?? Infinity) > Date.parse(known.from);

const isoPeriod = (from: number | null, to: number | null) => ({
  ...(from !== null && { from: new Date(from).toISOString() }),
  ...(to !== null && { to: new Date(to).toISOString() }),
});
