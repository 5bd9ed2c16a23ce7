import { CodedError } from '@postmaster/contracts';
import { flatten, type NewBlock } from '../../plain-text.js';
import { blocksOfRows } from '../table-blocks.js';

type Scalar = string | number | boolean | null;
type Flat = Record<string, Scalar>;

const MAX_DEPTH = 200;
const MOST_LETTERS = 1200; // of a block of lines
const PROSE = 200; // letters: a value from here on is a paragraph of its own
const MAX_COLUMNS = 30;

/**
 * Data as lines of "path: value", those of one entry at the top together; an array of like objects as a table, and a
 * long text as a paragraph.
 */
export const jsonBlocks = (root: unknown): NewBlock[] => {
  const blocks: NewBlock[] = [];
  let lines: string[] = [];
  let length = 0;
  const flush = (): void => {
    if (lines.length > 0) blocks.push({ kind: 'text', text: lines.join('\n') });
    lines = [];
    length = 0;
  };
  const add = (path: string, value: string): void => {
    const line = path === '' ? value : `${path}: ${value}`;
    if (value.length >= PROSE || length + line.length > MOST_LETTERS) flush();
    if (value.length >= PROSE) return void blocks.push({ kind: 'text', text: line });
    lines.push(flatten(line));
    length += line.length + 1;
  };
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) {
      throw new CodedError('DOCUMENT_BROKEN', `The data is nested more than ${MAX_DEPTH} levels deep.`);
    }
    const columns = columnsOf(value);
    if (columns) {
      flush();
      blocks.push(...tableOf(path, columns, value as Flat[])); // columnsOf says so
    } else if (Array.isArray(value) && value.every(isScalar))
      add(path, value.filter((item) => item !== null).join(', '));
    else if (Array.isArray(value)) value.forEach((item, index) => visit(item, `${path}[${index}]`, depth + 1));
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) visit(item, path === '' ? key : `${path}.${key}`, depth + 1);
    } else if (value !== null) add(path, String(value));
    if (depth === 1) flush();
  };
  visit(root, '', 0);
  flush();
  return blocks;
};

const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== 'object';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The columns of an array of objects that hold no others and have most of their keys in common; null for anything else. */
const columnsOf = (value: unknown): string[] | null => {
  if (!Array.isArray(value) || value.length < 2) return null;
  const keys = new Set<string>();
  let cells = 0;
  for (const item of value as unknown[]) {
    if (!isObject(item) || !Object.values(item).every((cell) => isScalar(cell) && String(cell).length < PROSE))
      return null;
    for (const key of Object.keys(item)) keys.add(key);
    cells += Object.keys(item).length;
    if (keys.size > MAX_COLUMNS) return null;
  }
  return keys.size > 1 && cells >= (keys.size * value.length) / 2 ? [...keys] : null;
};

const tableOf = (path: string, columns: readonly string[], items: readonly Flat[]): NewBlock[] =>
  blocksOfRows([
    ...(path === '' ? [] : [[path]]),
    columns,
    ...items.map((item) => columns.map((column) => String(item[column] ?? ''))),
  ]);
