import type { Data, RecordBatch } from 'apache-arrow';
import { arrow } from './arrow.js';

/** Reads the columns of one Arrow batch without boxing numbers: vectors and term lists are views of its buffers. */
export const rowReader = (batch: RecordBatch) => ({
  rows: batch.numRows,
  strings: (name: string) => {
    const column = batch.getChild(name);
    return (row: number): string => String(column?.get(row));
  },
  numbers: (name: string) => {
    const column = batch.getChild(name);
    return (row: number): number => Number(column?.get(row));
  },
  booleans: (name: string) => {
    const column = batch.getChild(name);
    return (row: number): boolean => column?.get(row) === true;
  },
  /** A list of hashes, kept as their bytes. */
  terms: (name: string) => {
    const data = chunk(batch, name);
    const bytes = data.values as Uint8Array; // binary
    return (row: number): Uint32Array => {
      const own = bytes.subarray(...bounds(data, row));
      const aligned = own.byteOffset % 4 === 0 ? own : own.slice();
      return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
    };
  },
  /** At most one vector of a fixed-size list column. */
  vectors: (name: string) => {
    const column = chunk(batch, name);
    const at = vectorAt(column);
    return (row: number): Float32Array[] => (column.getValid(row) ? [at(row)] : []);
  },
  /** The vectors of a list column, and undefined where the list has a place without. */
  vectorLists: (name: string) => {
    const list = chunk(batch, name);
    const [child] = list.children;
    const at = vectorAt(child);
    return (row: number): (Float32Array | undefined)[] => {
      const [from, to] = bounds(list, row);
      return Array.from({ length: to - from }, (_, i) => (child?.getValid(from + i) ? at(from + i) : undefined));
    };
  },
});
export type RowReader = ReturnType<typeof rowReader>;

const chunk = (batch: RecordBatch, name: string): Data => {
  const [data] = batch.getChild(name)?.data ?? [];
  if (!data) throw new Error(`The answer has no column "${name}".`);
  return data as Data; // getChild() can't know the column's type
};

const bounds = (list: Data, row: number): [number, number] => [
  list.valueOffsets[row] as number, // an offset more than rows
  list.valueOffsets[row + 1] as number,
];

const vectorAt = (data: Data | undefined): ((row: number) => Float32Array) => {
  if (!arrow.DataType.isFixedSizeList(data?.type)) throw new Error('The column holds no vectors.');
  const dimension = data.type.listSize;
  const values = data.children[0]?.values as Float32Array; // a fixed-size list of float32
  return (row) => values.subarray(row * dimension, (row + 1) * dimension);
};
