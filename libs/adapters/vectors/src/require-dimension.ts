import { CodedError, type IndexSpec, NAMED_VECTORS } from '@postmaster/contracts';
import type { PointPatch } from '@postmaster/embedding';

/** Throws DIMENSION_MISMATCH where an index of one dimension meets another. */
export const requireDimension = (index: string, expected: number, actual: number): void => {
  if (expected !== actual)
    throw new CodedError(
      'DIMENSION_MISMATCH',
      `The index "${index}" holds vectors of ${expected} dimensions but was given ${actual}.`,
    );
};

/** Throws DIMENSION_MISMATCH where a patch has a vector of another dimension than its index. */
export const requireVectors = (index: IndexSpec, { vectors = {} }: PointPatch): void => {
  for (const name of NAMED_VECTORS)
    for (const vector of [vectors[name] ?? []].flat()) requireDimension(index.name, index.dimension, vector.length);
};
