import { isTree, type Tree, type Value } from './repository.js';

/**
 * Kubernetes' strategic merge, as far as our overlays need it: trees are merged, null removes, lists whose items have a
 * name are merged by it, and every other list is replaced.
 */
export const mergePatch = (base: Tree, patch: Tree): Tree => {
  const kept = Object.entries(base).filter(([key]) => patch[key] !== null);
  const changed = Object.entries(patch).filter(([, value]) => value !== null);
  return Object.fromEntries([...kept, ...changed.map(([key, value]) => [key, mergeValue(base[key], value)])]) as Tree;
};

const mergeValue = (base: Value | undefined, patch: Value | undefined): Value | undefined => {
  if (isTree(base) && isTree(patch)) return mergePatch(base, patch);
  return isNamed(base) && isNamed(patch) ? mergeNamed(base, patch) : patch;
};

const isNamed = (value: Value | undefined): value is Tree[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isTree(one) && typeof one.name === 'string');

/** New items come first, as kustomize has it. */
const mergeNamed = (base: Tree[], patch: Tree[]): Tree[] => [
  ...patch.filter(({ name }) => !base.some((one) => one.name === name)),
  ...base.map((one) => {
    const change = patch.find(({ name }) => name === one.name);
    return change ? mergePatch(one, change) : one;
  }),
];
