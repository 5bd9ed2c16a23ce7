import type { MergeReason } from './entity.js';

export interface Merge {
  key: string;
  into: string;
  why: MergeReason;
}

/**
 * Which name each of these names comes to: what a person says, else what all reasons agree on. A name that is said to be
 * two things is neither, nor is one that comes round to itself. `known`: the names that there are.
 */
export const comeTogether = (known: ReadonlySet<string>, merges: readonly Merge[]): Map<string, string> => {
  const said = new Map<string, Set<string>>();
  const byHand = new Map<string, string>();
  for (const { key, into, why } of merges) {
    if (!known.has(into)) continue;
    if (why === 'hand') byHand.set(key, into);
    else said.set(key, (said.get(key) ?? new Set()).add(into));
  }
  const next = (key: string): string => {
    const [into, ...others] = said.get(key) ?? [];
    return byHand.get(key) ?? (into !== undefined && others.length === 0 ? into : key);
  };
  return new Map(
    [...known].map((key) => {
      const way = [key];
      for (let at = next(key); at !== way.at(-1); at = next(at)) {
        if (way.includes(at)) return [key, way.slice(way.indexOf(at)).sort()[0]!]; // a ring: the first of it in the alphabet
        way.push(at);
      }
      return [key, way.at(-1)!];
    }),
  );
};
