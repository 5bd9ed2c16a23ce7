import type { Cell, Line } from './lines.js';

/** Lines of a region that are one table, or one by itself. */
export type Stretch = { kind: 'table'; lines: Line[] } | { kind: 'line'; line: Line };

/** Font heights from one line of a cell to its next; further apart, several cells are a row that leaves its first ones out. */
const CLOSE = 1.35;
const MOST_SEEN = 200; // cells

/** Finds runs of lines whose cells stand below each other: three lines at least, or two of three cells. */
export const findTables = (lines: readonly Line[]): Stretch[] => {
  const stretches: Stretch[] = [];
  for (let at = 0; at < lines.length;) {
    const end = tableEnd(lines, at);
    const table = lines.slice(at, end);
    const rows = table.filter(({ cells }) => cells.length > 1);
    const isTable = rows.length >= 3 || (rows.length === 2 && rows.every(({ cells }) => cells.length > 2));
    const [line] = table;
    if (isTable) stretches.push({ kind: 'table', lines: table });
    else if (line) stretches.push({ kind: 'line', line });
    at = isTable ? end : at + 1;
  }
  return stretches;
};

/** Past the last line of the table that might start at a line; one cell alone only continues the row above it. */
const tableEnd = (lines: readonly Line[], start: number): number => {
  let rows = lines[start];
  if (!rows || rows.cells.length < 2) return start + 1;
  const seen = [...rows.cells]; // of the rows before: a row with gaps may share no cell with the fullest one
  let end = start + 1;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at];
    const above = lines[at - 1];
    if (!line || !above || line.y - above.y > line.size * 4) break;
    const isRow =
      line.cells.length > 1 && (aligned(rows.cells, line) >= 2 || aligned(seen, line) === line.cells.length);
    const isRest = line.cells.length === 1 && continues(rows, line);
    if (!isRow && !isRest) break;
    if (isRow) {
      end = at + 1;
      if (seen.length < MOST_SEEN) seen.push(...line.cells);
      if (line.cells.length >= rows.cells.length) rows = line;
    }
  }
  // What is left over of the last row's cells.
  while (end < lines.length && lines[end]?.cells.length === 1 && continues(rows, lines[end])) end++;
  return end;
};

/** How many of a line's cells start, end or centre where one of the other's does. */
const aligned = (above: readonly Cell[], line: Line): number => {
  const near = line.size * 0.8;
  return line.cells.filter((cell) =>
    above.some(
      (other) =>
        Math.abs(cell.left - other.left) < near ||
        Math.abs(cell.right - other.right) < near ||
        Math.abs(cell.left + cell.right - other.left - other.right) < 2 * near,
    ),
  ).length;
};

/** Whether a line is the rest of a cell, but not of the first: that would be any line of text. */
const continues = (rows: Line, line: Line | undefined): boolean => {
  const [first, ...others] = rows.cells;
  if (!line || !first || line.left <= first.right) return false;
  return others.some((cell) => Math.abs(cell.left - line.left) < line.size);
};

/** A table as text: a line per row, cells parted by " | " and each in its column, what a cell continues on the next line joined to it. */
export const tableText = (lines: readonly Line[]): string => {
  const rows: Cell[][] = [];
  let lastY = -Infinity;
  for (const line of lines) {
    const above = rows.at(-1);
    const isRest =
      above?.[0] !== undefined && line.left > above[0].right && line.cells.every((cell) => columnOf(above, cell));
    const isClose = line.cells.length === 1 || line.y - lastY < line.size * CLOSE;
    lastY = line.y;
    if (above && isRest && isClose) {
      for (const cell of line.cells) {
        const column = columnOf(above, cell);
        if (column) column.text += ` ${cell.text}`;
      }
    } else rows.push(line.cells.map((cell) => ({ ...cell })));
  }
  const columns = columnsOf(rows);
  return rows.map((cells) => rowText(cells, columns)).join('\n');
};

const columnOf = (row: readonly Cell[], cell: Cell): Cell | undefined =>
  row.find((other) => cell.left < other.right && cell.right > other.left);

interface Column {
  left: number;
  right: number;
}

/**
 * The columns that cells stand in, from left to right: the narrowest cells say where they are, a wider one that lies over
 * several of them spans them.
 */
const columnsOf = (rows: readonly (readonly Cell[])[]): Column[] => {
  const columns: Column[] = [];
  const cells = rows.flat().sort((a, b) => a.right - a.left - (b.right - b.left));
  for (const { left, right } of cells) {
    const under = columns.filter((column) => left < column.right && right > column.left);
    const [only] = under;
    if (!only) columns.push({ left, right });
    else if (under.length === 1)
      Object.assign(only, { left: Math.min(left, only.left), right: Math.max(right, only.right) });
  }
  return columns.sort((a, b) => a.left - b.left);
};

/** A row with an empty cell for each column that it leaves out. */
const rowText = (cells: readonly Cell[], columns: readonly Column[]): string => {
  const first = cells[0];
  const isRightToLeft = first !== undefined && first.left > (cells.at(-1)?.left ?? first.left);
  const row: string[] = [];
  for (const cell of isRightToLeft ? [...cells].reverse() : cells) {
    const at = columns.findIndex(({ left, right }) => cell.left < right && cell.right > left);
    while (row.length < at) row.push('');
    row.push(cell.text);
  }
  return (isRightToLeft ? row.reverse() : row).join(' | ');
};
