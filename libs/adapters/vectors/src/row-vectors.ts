import { MULTI_VECTORS, type NamedVector, NAMED_VECTORS } from '@postmaster/contracts';

/** The column that has a row's vectors of every name once more, in one piece: exact scores take one read for each row. */
export const ALL_VECTORS = 'vectors';

export const isMulti = (name: NamedVector): name is (typeof MULTI_VECTORS)[number] =>
  MULTI_VECTORS.some((multi) => multi === name);
const SINGLES = NAMED_VECTORS.filter((name) => !isMulti(name));
const [FIRST, SECOND] = MULTI_VECTORS;

/** In the column's order: a place for each name of at most one vector, the one list, a place without, the other list. */
export const inOnePiece = (
  vectors: Readonly<Record<NamedVector, readonly Float32Array[]>>,
): (Float32Array | undefined)[] => [
  ...SINGLES.map((name) => vectors[name][0]),
  ...vectors[FIRST],
  undefined,
  ...vectors[SECOND],
];

/** The vectors of each name again. */
export const byName = (piece: readonly (Float32Array | undefined)[]): Record<NamedVector, Float32Array[]> => {
  const end = piece.indexOf(undefined, SINGLES.length);
  const present = (from: number, to?: number): Float32Array[] =>
    piece.slice(from, to).filter((vector) => vector !== undefined);
  return {
    ...(Object.fromEntries(SINGLES.map((name, at) => [name, present(at, at + 1)])) as SingleVectors),
    [FIRST]: present(SINGLES.length, end),
    [SECOND]: present(end + 1),
  };
};
type SingleVectors = Record<Exclude<NamedVector, (typeof MULTI_VECTORS)[number]>, Float32Array[]>;

/** What gives the column to the rows of a table that was made before it. */
export const allVectorsOfColumns = (dimension: number): string => {
  const vector = `FixedSizeList(${dimension}, Float32)`;
  const none = `make_array(arrow_cast(null, '${vector}'))`;
  const all = `array_concat(make_array(${SINGLES.join(', ')}), ${FIRST}, ${none}, ${SECOND})`;
  return `arrow_cast(${all}, 'List(${vector})')`;
};
