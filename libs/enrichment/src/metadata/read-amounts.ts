import type { Money } from '@postmaster/contracts';
import type { Piece } from './found.js';

export interface FoundAmount extends Piece {
  money: Money;
  /** The currency stands beside it, or it is what the text counts in elsewhere. */
  named: boolean;
}

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD', 'kr.': 'DKK', kr: 'DKK' };
const CODES = 'DKK|EUR|GBP|USD|SEK|NOK|ISK|CHF|PLN|CZK|JPY|CAD|AUD';
const CURRENCY = String.raw`${CODES}|€|£|\$|kr\.?(?![\p{L}])`;
const NUMBER = String.raw`\d{1,3}(?:[.,' \u00A0]\d{3})+(?:[.,]\d{1,2}|[.,]-)?|\d+(?:[.,]\d{2}|[.,]-)?`;
const AMOUNTS = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,/-])(?:(?<before>${CURRENCY})[ \u00A0]?)?(?<sign>[-–−][ ]?)?(?:(?<within>€|£|\$))?(?<number>${NUMBER})(?![\p{N}]|[.,]\d|\s?%)(?:[ \u00A0]?(?<after>${CURRENCY}))?(?<each>\s?/)?`,
  'giu',
);

/** The currency that a text names most often; else that of its language's country where there is one. */
export const currencyOf = (text: string, language: string | null): string | null => {
  const counts = new Map<string, number>();
  for (const [sign] of text.matchAll(new RegExp(`(?<![\\p{L}])(?:${CURRENCY})`, 'gu'))) {
    const code = codeOf(sign);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? (language === 'da' ? 'DKK' : null);
};

/** Amounts of money in a text: with a currency beside them, or with two decimals in the text's own currency. */
export const readAmounts = (text: string, currency: string | null): FoundAmount[] =>
  [...text.matchAll(AMOUNTS)].flatMap(({ 0: words, index, groups = {} }) => {
    const { before, within, after, number, sign, each } = groups;
    const beside = before ?? within ?? after;
    const code = beside ? codeOf(beside) : currency;
    const decimals = /[.,](?:\d{2}|-)$/.test(number!);
    if (!code || each || (!beside && !decimals)) return [];
    const minor = minorOf(number!, code) * (sign ? -1 : 1);
    const end = index + words.length;
    return [{ text: words, start: index, end, money: { minor, currency: code }, named: beside !== undefined }];
  });

const codeOf = (sign: string): string => SIGNS[sign.toLowerCase()] ?? sign.toUpperCase();

/** "1.234,50" and "1,234.50" say the same: what stands before the last one or two digits is the decimal sign. */
const minorOf = (number: string, currency: string): number => {
  const [, whole = '', , decimals = ''] = /^(.*?)(?:([.,])(\d{1,2}|-))?$/u.exec(number) ?? [];
  const digits = fractionDigits(currency);
  const fraction = decimals === '-' ? '' : decimals;
  return Number(whole.replace(/\D/gu, '') + fraction.padEnd(digits, '0').slice(0, digits)) || 0;
};

const fractionDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
