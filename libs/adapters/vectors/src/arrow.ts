import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/**
 * The very instance of apache-arrow that LanceDB loads (its CommonJS build): tables made by another instance are
 * copied by LanceDB, and lose their nested vectors on the way.
 */
export const arrow = createRequire(requireHere.resolve('@lancedb/lancedb'))(
  'apache-arrow',
) as typeof import('apache-arrow'); // require() has no types
