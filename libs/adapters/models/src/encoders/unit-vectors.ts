import { CodedError } from '@postmaster/contracts';

export interface Expected {
  encoder: string;
  count: number;
  /** Any, as long as all have the same, where it is not known yet. */
  dimension: number | undefined;
}

/** A service's vectors, checked and at unit length. Throws ENCODER_REFUSED or DIMENSION_MISMATCH, saying what was expected. */
export const unitVectors = (
  vectors: readonly (readonly number[] | Float32Array)[] | undefined,
  { encoder, count, dimension = vectors?.[0]?.length ?? 0 }: Expected,
): Float32Array[] => {
  const refused = (what: string): CodedError =>
    new CodedError('ENCODER_REFUSED', `"${encoder}" should give ${count} vectors of finite numbers but gave ${what}.`, {
      next: 'Check that ENCODER_PROVIDER fits the service, and that ENCODER_MODEL is an embedding model.',
    });
  if (!vectors) throw refused('an answer of another form');
  if (vectors.length !== count) throw refused(String(vectors.length));
  return vectors.map((vector) => {
    if (vector.length === 0) throw refused('an empty one');
    if (vector.length !== dimension)
      throw new CodedError(
        'DIMENSION_MISMATCH',
        `"${encoder}" should give vectors of ${dimension} dimensions but gave ${vector.length}.`,
      );
    const length = Math.hypot(...vector);
    if (!Number.isFinite(length)) throw refused('other values');
    if (length === 0) throw refused('one of zeros');
    return Float32Array.from(vector, (value) => value / length);
  });
};
