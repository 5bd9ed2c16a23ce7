import { flatten, type NewBlock } from '../plain-text.js';
import type { MarkupElement } from './html-document.js';

type ReadBlocks = (element: MarkupElement) => NewBlock[];

/** All of an element's text in one line. */
export const lineOf = (element: MarkupElement, read: ReadBlocks): string =>
  read(element)
    .map(({ kind, text }) =>
      flatten(kind === 'list' ? text.replace(/^\s*(-|\d+\.) /gm, '').replace(/\n/g, '; ') : text),
    )
    .join(' ');

const MAX_PARAGRAPHS = 4; // in a cell
const MAX_NESTED = 500; // letters of a table within a cell

/** Whether a table is there to place things on the page: it has one column, or holds what no cell of data holds. */
export const isLayout = (table: MarkupElement): boolean =>
  table.querySelector('article,section,h1,h2,h3') !== null ||
  rowsOf(table).every((row) => row.length < 2) ||
  [...table.querySelectorAll('table')].some((nested) => (nested.textContent ?? '').length > MAX_NESTED) ||
  [...table.querySelectorAll('pre')].some((code) => code.textContent?.trim().includes('\n')) ||
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
  return [...(caption ? read(caption) : []), { kind: 'table', text: filled.map(rowText).join('\n') }];
};

const rowText = (cells: readonly string[]): string =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1).join(' | ');

const rowsOf = (table: MarkupElement): MarkupElement[][] =>
  [...table.querySelectorAll('tr')]
    .filter((row) => row.closest('table') === table)
    .map((row) => [...row.children].filter((cell) => cell.localName === 'td' || cell.localName === 'th'));
