import { MONTH_NAME as MONTH, MONTH_OF } from '../month-names.js';
import type { Piece } from './found.js';

export interface FoundDay extends Piece {
  /** ISO 8601. */
  day: string;
}

const BEFORE = String.raw`(?<![\p{L}\p{N}.,/-])`;
const AFTER = String.raw`(?![\p{L}\p{N}]|[.,/-]\p{N})`;
const DATES = new RegExp(
  [
    String.raw`${BEFORE}(?<iy>[12]\d{3})-(?<im>\d{2})-(?<id>\d{2})(?=T|${AFTER})`,
    String.raw`${BEFORE}(?<nd>\d{1,2})\s?[./-]\s?(?<nm>\d{1,2})(?:\s?[./-]\s?|\s)(?<ny>[12]\d{3}|\d{2})${AFTER}`,
    String.raw`${BEFORE}(?<wd>\d{1,2})(?:\.|st|nd|rd|th)?\s(?:of\s)?(?<wm>${MONTH})\.?,?\s(?<wy>[12]\d{3})${AFTER}`,
    String.raw`${BEFORE}(?<um>${MONTH})\.?\s(?<ud>\d{1,2})(?:st|nd|rd|th)?,?\s(?<uy>[12]\d{3})${AFTER}`,
  ].join('|'),
  'giu',
);
const MONTH_OF_YEAR = new RegExp(String.raw`(?<!\d\.?\s)(?<![\p{L}])(?<m>${MONTH})\.?\s(?<y>[12]\d{3})${AFTER}`, 'giu');

/** The days that a text names, in its order. `monthFirst`: of numbers with slashes, as in the United States. */
export const readDates = (text: string, monthFirst: boolean): FoundDay[] =>
  [...text.matchAll(DATES)].flatMap(({ 0: words, index, groups = {} }) => {
    const [year, month, day] = partsOf(words, groups, monthFirst);
    const iso = isoDay(year, month, day);
    return iso ? [{ text: words, start: index, end: index + words.length, day: iso }] : [];
  });

const partsOf = (words: string, groups: Record<string, string>, monthFirst: boolean): [number, number, number] => {
  const { iy, im, id, nd, nm, ny, wd, wm, wy, um, ud, uy } = groups;
  if (iy) return [Number(iy), Number(im), Number(id)];
  if (wm) return [Number(wy), MONTH_OF.get(wm.toLowerCase()) ?? 0, Number(wd)];
  if (um) return [Number(uy), MONTH_OF.get(um.toLowerCase()) ?? 0, Number(ud)];
  const year = Number(ny!.length === 2 ? `20${ny}` : ny);
  const american = (monthFirst && words.includes('/')) || Number(nm) > 12;
  return american ? [year, Number(nd), Number(nm)] : [year, Number(nm), Number(nd)];
};

/** Undefined for what is no day: 31 February. */
const isoDay = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && day > 0
    ? date.toISOString().slice(0, 10)
    : undefined;
};

/** The months that a text names without a day, from the first to the last of their days. */
export const readMonths = (text: string): (Piece & { from: string; to: string })[] =>
  [...text.matchAll(MONTH_OF_YEAR)].map(({ 0: words, index, groups }) => {
    const [year, month] = [Number(groups!.y), MONTH_OF.get(groups!.m!.toLowerCase())!];
    const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
    const at = `${year}-${String(month).padStart(2, '0')}`;
    return { text: words, start: index, end: index + words.length, from: `${at}-01`, to: `${at}-${last}` };
  });
