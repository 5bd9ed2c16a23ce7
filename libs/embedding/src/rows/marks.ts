import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Target } from './indexes.js';
import type { ProjectionRow } from './tables.js';

/** What of a paragraph is in an index, as its row says. */
export interface Marks {
  text: string | null;
  facets: number | null;
  windows: number;
  at: Date | null;
}

const NAMES = [
  { index: 'written_index', text: 'written_text', facets: 'written_facets', windows: 'windows', at: 'written_at' },
  { index: 'second_index', text: 'second_text', facets: 'second_facets', windows: 'second_windows', at: 'second_at' },
] as const;

type Columns = Record<keyof (typeof NAMES)[0], RawBuilder<unknown>>;

/** The columns that hold the marks of an index. */
export const columnsOf = ({ slot }: Pick<Target, 'slot'>): Columns => {
  const { index, text, facets, windows, at } = NAMES[slot];
  return {
    index: sql.ref(index),
    text: sql.ref(text),
    facets: sql.ref(facets),
    windows: sql.ref(windows),
    at: sql.ref(at),
  };
};

const NONE: Marks = { text: null, facets: null, windows: 1, at: null };

export const marksIn = (row: Selectable<ProjectionRow>, { slot, mark }: Pick<Target, 'slot' | 'mark'>): Marks => {
  const names = NAMES[slot];
  return row[names.index] === mark
    ? { text: row[names.text], facets: row[names.facets], windows: row[names.windows], at: row[names.at] }
    : NONE;
};
