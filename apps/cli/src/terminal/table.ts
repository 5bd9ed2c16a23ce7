import { fit, widthOf } from './width.js';

export interface Column {
  title: string;
  /** Given up first where the terminal is too narrow. */
  shrinks?: boolean;
  right?: boolean;
}

const GAP = 2;

/** Rows under their titles. `columns` is the terminal's width; without one nothing is cut. */
export const table = (
  header: readonly Column[],
  rows: readonly (readonly string[])[],
  columns: number | undefined,
): string => {
  const widths = header.map(({ title }, at) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[at] ?? ''))));
  if (columns !== undefined) shrink(header, widths, columns);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => {
        const fitted = fit(cell, widths[at] ?? 0);
        const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(fitted)));
        return header[at]?.right ? space + fitted : fitted + space;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return [line(header.map(({ title }) => title)), ...rows.map(line)].join('\n');
};

const MIN_WIDTH = 8;

const shrink = (header: readonly Column[], widths: number[], columns: number): void => {
  let over = widths.reduce((sum, width) => sum + width + GAP, -GAP) - columns;
  header.forEach(({ shrinks }, at) => {
    const width = widths[at] ?? 0;
    if (!shrinks || over <= 0) return;
    const given = Math.min(over, Math.max(0, width - MIN_WIDTH));
    widths[at] = width - given;
    over -= given;
  });
};
