import type { ReadText } from './document-text.js';
import type { Found } from './found.js';
import type { Line } from './labels.js';
import { type FoundAmount, readAmounts } from './read-amounts.js';
import { OFFERED, PAYMENTS, TAX, TOTALS } from './words.js';

/** What was paid in all, the tax in it, and how. */
export const moneyFields = (read: ReadText): Found[] => {
  const total = totalOf(read);
  const tax = firstAfter(read, TAX, read.lines)[0];
  return [
    ...(total ? [{ name: 'amount', value: total.money, at: [total] } as const] : []),
    ...(tax ? [{ name: 'tax', value: tax.money, at: [tax] } as const] : []),
    ...paymentOf(read),
  ];
};

/** After the surest words for a total, the last one: sums come below their parts. Else the only amount that there is. */
const totalOf = (read: ReadText): FoundAmount | undefined => {
  const lines = read.lines.filter(({ text }) => !/^(?:sub\s?total|delsum|rabat|rykkergebyr)/iu.test(text));
  for (const words of TOTALS) {
    const found = firstAfter(read, words, lines);
    if (found.length > 0) return found.at(-1);
  }
  const named = readAmounts(read.text, read.currency).filter((amount) => amount.named);
  return new Set(named.map(({ money }) => `${money.minor} ${money.currency}`)).size === 1 ? named[0] : undefined;
};

/** The first amount of a line after these words, of each line that has one. */
const firstAfter = ({ text, currency }: ReadText, words: RegExp, lines: readonly Line[]): FoundAmount[] =>
  lines.flatMap(({ text: line, start, end }) => {
    const [found] = line.matchAll(words);
    if (!found) return [];
    const from = start + found.index + found[0].length;
    const amount = readAmounts(text.slice(from, end), currency)[0];
    return amount ? [{ ...amount, start: from + amount.start, end: from + amount.end }] : [];
  });

/** Only where one way alone is named. */
const paymentOf = ({ text }: ReadText): Found[] => {
  if (OFFERED.test(text)) return [];
  const ways = Object.entries(PAYMENTS).flatMap(([value, words]) => {
    const found = words.exec(text);
    return found ? [{ value, start: found.index, end: found.index + found[0].length }] : [];
  });
  const [way] = ways;
  return way && ways.length === 1
    ? [{ name: 'paymentMethod', value: way.value, at: [{ start: way.start, end: way.end }] }]
    : [];
};
