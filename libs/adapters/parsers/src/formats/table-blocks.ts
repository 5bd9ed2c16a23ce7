import { flatten, type NewBlock } from '../plain-text.js';

/** A longer table becomes several blocks, each with the header's line: a row far down still says what its cells are. */
const MOST_LETTERS = 1200;
const MAX_NAME = 60; // letters of a column's name

/**
 * Tables as blocks of text: a line per row, cells parted by " | ". A row without text ends a table; where the next one
 * doesn't begin with a header of its own, the last one's holds.
 */
export const blocksOfRows = (rows: Iterable<readonly string[]>, page?: number): NewBlock[] => {
  const pieces: { lines: string[]; length: number }[] = [];
  let header: string | null = null;
  let isOpening = true; // above the rows of data: titles, and the header
  for (const row of rows) {
    const cells = row.map(flatten);
    const line = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1).join(' | ');
    const piece = pieces.at(-1);
    if (line === '') isOpening = true;
    else if (isOpening && isHeader(cells)) {
      header = line;
      if (piece && piece.length <= MAX_NAME)
        piece.lines.push(line); // below the table's title
      else pieces.push({ lines: [line], length: line.length });
      isOpening = false;
    } else if (!piece || isOpening || piece.length + line.length > MOST_LETTERS) {
      const repeated = header === null || isOpening ? [] : [header];
      pieces.push({ lines: [...repeated, line], length: line.length + (repeated[0]?.length ?? 0) });
      isOpening &&= cells.filter((cell) => cell !== '').length === 1;
    } else {
      piece.lines.push(line);
      piece.length += line.length;
    }
  }
  return pieces.map(({ lines }) => ({ kind: 'table', text: lines.join('\n'), page }));
};

/** Names, all different, and more than one. */
const isHeader = (cells: readonly string[]): boolean => {
  const filled = cells.filter((cell) => cell !== '');
  const areNames = filled.every((cell) => /\p{L}/u.test(cell) && cell.length <= MAX_NAME);
  return filled.length > 1 && areNames && new Set(filled).size === filled.length;
};
