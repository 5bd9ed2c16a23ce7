import { RAISED, type Fragment } from './fragments.js';

export interface Cell {
  text: string;
  left: number;
  right: number;
}

/** A line of a region: its text, and the cells that wide gaps part it into. */
export interface Line extends Cell {
  y: number;
  size: number;
  /** The one font of the whole line; '' where it changes within. */
  font: string;
  isMono: boolean;
  cells: Cell[];
  page: number;
}

/** A line drawn with letters. */
const RULE = /^([-=_*~.·—–─+|\s]){3,}$/;
const CELL_GAP = 1.6; // font heights
const WORD_GAP = 0.12;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/gu;

/** The lines of a region from top to bottom. */
export const linesOf = (region: readonly Fragment[], page: number): Line[] => {
  const rows: Fragment[][] = [];
  for (const fragment of [...region].sort((a, b) => a.y - b.y || a.left - b.left)) {
    const row = rows.at(-1);
    const main = row?.reduce((best, other) => (other.size > best.size ? other : best));
    const isOnLine = main && Math.abs(fragment.y - main.y) < Math.max(main.size, fragment.size) * RAISED;
    if (row && isOnLine) row.push(fragment);
    else rows.push([fragment]);
  }
  return rows.map((row) => lineOf(row, page)).filter(({ text }) => !RULE.test(text));
};

const lineOf = (row: readonly Fragment[], page: number): Line => {
  const text = row.map((fragment) => fragment.text).join('');
  const isRightToLeft = (text.match(RIGHT_TO_LEFT)?.length ?? 0) > text.length / 3;
  const ordered = [...row].sort((a, b) => (isRightToLeft ? b.left - a.left : a.left - b.left));
  const largest = ordered.reduce((best, fragment) => (fragment.text.length > best.text.length ? fragment : best));
  const cells: Cell[] = [];
  for (const { text: own, left, right } of ordered) {
    const last = cells.at(-1);
    const gap = last ? (isRightToLeft ? last.left - right : left - last.right) : Infinity;
    if (last && gap < largest.size * CELL_GAP) {
      last.text += (gap > largest.size * WORD_GAP ? ' ' : '') + own;
      last.left = Math.min(last.left, left);
      last.right = Math.max(last.right, right);
    } else cells.push({ text: own, left, right });
  }
  const fonts = new Set(row.map(({ font }) => font));
  return {
    text: cells.map((cell) => cell.text).join(' '),
    left: Math.min(...row.map(({ left }) => left)),
    right: Math.max(...row.map(({ right }) => right)),
    y: largest.y,
    size: largest.size,
    font: fonts.size === 1 ? largest.font : '',
    isMono: row.every(({ isMono }) => isMono),
    cells: cells.map((cell) => ({ ...cell, text: withoutLeaders(cell.text) })).filter((cell) => cell.text !== ''),
    page,
  };
};

/** A table of contents leads the eye with dots. */
const withoutLeaders = (text: string): string => text.replace(/(\s?[.·_]){4,}\s*/g, ' ').trim();
