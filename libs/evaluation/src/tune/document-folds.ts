import { shuffled } from '../seeded-random.js';

/**
 * Parts questions into folds so that those of one document are never in two: documents that one question joins count as
 * one. By each question's place, its fold, 0…folds − 1; folds are about alike in size, the same for a seed.
 */
export const documentFolds = (
  documentsOf: readonly (readonly string[])[],
  folds: number,
  random: () => number,
): number[] => {
  const groups = joinedBy(documentsOf);
  const sizes = new Map<string, number>();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const filled = new Array<number>(folds).fill(0);
  const foldOf = new Map<string, number>();
  const largestFirst = shuffled([...sizes], random).sort(([, one], [, other]) => other - one); // stable: chance between equals
  for (const [group, size] of largestFirst) {
    const fold = filled.indexOf(Math.min(...filled));
    filled[fold]! += size;
    foldOf.set(group, fold);
  }
  return groups.map((group) => foldOf.get(group)!);
};

/** How many parts there are that no question joins. */
export const separateDocuments = (documentsOf: readonly (readonly string[])[]): number =>
  new Set(joinedBy(documentsOf)).size;

/** For each question, the name of the documents that it and others join, by union and find. */
const joinedBy = (documentsOf: readonly (readonly string[])[]): string[] => {
  const parents = new Map<string, string>();
  const rootOf = (document: string): string => {
    const parent = parents.get(document) ?? document;
    return parent === document ? document : rootOf(parent);
  };
  for (const [first, ...others] of documentsOf) for (const other of others) parents.set(rootOf(other), rootOf(first!));
  return documentsOf.map(([first]) => rootOf(first!));
};
