import { walkXml } from '../xml.js';
import { numberText, type NumberStyle } from './cell-styles.js';

/** What cells of all sheets refer to. */
export interface Workbook {
  strings: readonly string[];
  styles: readonly NumberStyle[];
  /** Whether days are counted from 1904, as on old Macs. */
  is1904: boolean;
}

/** The last column that Excel has, XFD. */
const MAX_COLUMN = 16_384;

/** The strings that cells share, each without its phonetic reading. */
export const sharedStrings = (part: Uint8Array): string[] => {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isReading = false;
  if (part.byteLength === 0) return strings;
  walkXml(part, {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isReading = true;
      isText = name === 't' && !isReading;
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (name) => {
      isText = false;
      if (name === 'rPh') isReading = false;
      if (name === 'si') strings.push(text);
    },
  });
  return strings;
};

/** A sheet's rows, one without cells for any run of empty ones; read as a stream, for a sheet may have a million of them. */
export const sheetRows = (part: Uint8Array, workbook: Workbook): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = { type: '', style: 0, column: 0 };
  let value = '';
  let isValue = false;
  let last = 0;
  const gap = (): void => {
    if (rows.at(-1)?.length) rows.push([]);
  };
  walkXml(part, {
    open: (name, { r, t = 'n', s }) => {
      if (name === 'row') {
        if (Number(r) > last + 1) gap();
        last = Number(r ?? last + 1);
        row = [];
      }
      if (name === 'c') {
        cell = { type: t, style: Number(s ?? 0), column: columnOf(r) ?? row.length };
        value = '';
      }
      isValue = name === 'v' || name === 't';
    },
    text: (piece) => {
      if (isValue) value += piece;
    },
    close: (name) => {
      isValue = false;
      if (name === 'c' && value !== '' && cell.column < MAX_COLUMN) {
        while (row.length < cell.column) row.push('');
        row[cell.column] = cellText(value, cell, workbook);
      }
      if (name === 'row' && row.length > 0) rows.push(row);
      else if (name === 'row') gap();
    },
  });
  return rows;
};

/** 0-based: "A1" is 0, "AB7" is 27; null where the cell doesn't say. */
const columnOf = (reference: string | undefined): number | null => {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  return letters ? [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1 : null;
};

/** The types of cells of ECMA-376, 18.18.11; a formula's cell holds its last result. */
const cellText = (
  value: string,
  { type, style }: { type: string; style: number },
  { strings, styles, is1904 }: Workbook,
): string => {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' ? numberText(value, styles[style] ?? 'number', is1904) : value;
};
