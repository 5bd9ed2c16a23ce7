/** Numbers in 0…1, the same ones for the same seed: where a test by chance failed once, it can be looked at again. */
export const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
};
