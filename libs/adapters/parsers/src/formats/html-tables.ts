import { flatten, type NewBlock } from '../plain-text.js';
import type { MarkupElement } from './html-document.js';

type ReadBlocks = (element: MarkupElement) => NewBlock[];

/** All of an element's text in one line. */
export const lineOf = (element: MarkupElement, read: ReadBlocks): string =>
  read(element)
    .map((block) => flatten(block.text))
    .join(' ');

/** A cell with more paragraphs than this, or a table with one column, is there for the page's layout. */
const MAX_PARAGRAPHS = 4;

export const isLayout = (table: MarkupElement): boolean =>
  table.querySelector('table,pre,article,section,h1,h2,h3') !== null ||
  rowsOf(table).every((row) => row.length < 2) ||
  [...table.querySelectorAll('td')].some((cell) => [...cell.querySelectorAll('p')].length > MAX_PARAGRAPHS);

/** A line per row, its cells parted by " | "; a cell that spans rows stands in each of them. The caption comes first. */
export const tableBlocks = (table: MarkupElement, read: ReadBlocks): NewBlock[] => {
  const caption = table.querySelector('caption');
  const held: { text: string; rows: number }[] = []; // by column: what spans down from a row above
  const lines = rowsOf(table).map((cells) => {
    const line: string[] = [];
    const holdFrom = (): void => {
      for (let above = held[line.length]; above && above.rows > 0; above = held[line.length]) {
        above.rows--;
        line.push(above.text);
      }
    };
    for (const cell of cells) {
      holdFrom();
      const text = lineOf(cell, read);
      const rows = Math.min(Number(cell.getAttribute('rowspan') ?? 1) || 1, 1000);
      held[line.length] = { text, rows: rows - 1 };
      line.push(text);
    }
    holdFrom();
    return line;
  });
  const filled = lines.filter((line) => line.some((cell) => cell !== ''));
  return [
    ...(caption ? read(caption) : []),
    { kind: 'table', text: filled.map((line) => flatten(line.join(' | '))).join('\n') },
  ];
};

const rowsOf = (table: MarkupElement): MarkupElement[][] =>
  [...table.querySelectorAll('tr')]
    .filter((row) => row.closest('table') === table)
    .map((row) => [...row.children].filter((cell) => cell.localName === 'td' || cell.localName === 'th'));
