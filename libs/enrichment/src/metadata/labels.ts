import { type Piece, trimmed } from './found.js';

/** A line of a text, cut where a column ends: at two spaces, a tab, a bar. */
export interface Line extends Piece {
  cells: readonly Piece[];
}

const COLUMN = /\s{2,}|\t|\s*\|\s*/gu;

/** The lines that say something, in order. */
export const linesOf = (text: string): Line[] => {
  const lines: Line[] = [];
  let start = 0;
  for (const raw of text.split('\n')) {
    const line = trimmed(text, start, start + raw.length);
    start += raw.length + 1;
    if (line.text) lines.push({ ...line, cells: cellsOf(text, line) });
  }
  return lines;
};

const cellsOf = (text: string, { start, end, text: words }: Piece): Piece[] => {
  const cells: Piece[] = [];
  let from = start;
  for (const { index, 0: gap } of words.matchAll(COLUMN)) {
    cells.push(trimmed(text, from, start + index));
    from = start + index + gap.length;
  }
  cells.push(trimmed(text, from, end));
  return cells.filter((cell) => cell.text);
};

/** A label at the beginning of a cell, with what it names: the rest of the cell, the next one, or the next line. */
export interface Labelled extends Piece {
  label: string;
  line: number;
  /** The value stands a line below its label. */
  below: boolean;
}

/** A lookup of labels, longest first, in any case. "til:" takes a label only with its colon. */
export const labelPattern = (labels: readonly string[]): RegExp =>
  new RegExp(
    `^(${[...labels]
      .sort((a, b) => b.length - a.length)
      .map(patternOf)
      .join('|')})(?![\\p{L}\\p{N}])\\.?\\s*[:#.]?\\s*`,
    'iu',
  );

const patternOf = (label: string): string =>
  label.endsWith(':') ? `${escaped(label.slice(0, -1))}(?=\\s*:|$)` : escaped(label);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What these labels name, in the order of the text. */
export const labelled = (lines: readonly Line[], labels: RegExp): Labelled[] =>
  lines.flatMap((line, at) =>
    line.cells.flatMap((cell, column): Labelled[] => {
      const found = labels.exec(cell.text);
      if (!found) return [];
      const label = found[1]!.toLowerCase();
      const rest = cell.text.slice(found[0].length);
      const begin = cell.start + found[0].length;
      if (rest) return [{ text: rest, start: begin, end: cell.end, label, line: at, below: false }];
      const beside = line.cells[column + 1];
      if (beside) return [{ ...beside, label, line: at, below: false }];
      const next = lines[at + 1]?.cells[0];
      return next ? [{ ...next, label, line: at, below: true }] : [];
    }),
  );
