import { bestCosine } from '../cosine.js';

/**
 * A vector in 16 bits a number, scaled to its largest one, as base64 of little-endian bytes. A multivector's score does
 * not say which of its vectors gave it, and reading them all back as JSON numbers is slow.
 * Cosines are off by some 1e-5 at most.
 */
export const packVector = (vector: Float32Array): string => {
  const most = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return Buffer.from(Int16Array.from(vector, (value) => Math.round((value / most) * 32_767)).buffer).toString('base64');
};

/** Which of the packed vectors is nearest to the question; undefined where there is none. */
export const nearestPacked = (question: Float32Array, packed: readonly string[]): number | undefined => {
  if (packed.length < 2) return packed.length === 1 ? 0 : undefined;
  return bestCosine(question, packed.map(unpack))?.matched;
};

const unpack = (packed: string): Int16Array => new Int16Array(new Uint8Array(Buffer.from(packed, 'base64')).buffer);
