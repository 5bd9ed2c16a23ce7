import { isTree, listAt, type Tree, treeAt } from './repository.js';

export const nameOf = (manifest: Tree): string => String(treeAt(manifest, 'metadata').name);
export const idOf = (manifest: Tree): string => `${String(manifest.kind)} ${nameOf(manifest)}`;
export const ofKind = (manifests: Tree[], ...kinds: string[]): Tree[] =>
  manifests.filter(({ kind }) => kinds.includes(String(kind)));

/** What runs: Deployments and Jobs. */
export const workloadsIn = (manifests: Tree[]): Tree[] => ofKind(manifests, 'Deployment', 'Job');
export const podOf = (workload: Tree): Tree => treeAt(workload, 'spec', 'template');
export const containersOf = (workload: Tree): Tree[] => listAt(podOf(workload), 'spec', 'containers');

/** Whether a label selector chooses these labels; an empty one chooses all. */
export const selects = (selector: Tree, labels: Tree): boolean =>
  Object.entries(treeAt(selector, 'matchLabels')).every(([key, value]) => labels[key] === value) &&
  listAt(selector, 'matchExpressions').every(({ key, operator, values }) => {
    const among = Array.isArray(values) && values.includes(labels[String(key)] ?? null);
    if (operator === 'In') return among;
    if (operator === 'NotIn') return !among;
    throw new Error(`A selector's operator ${String(operator)} is not known here.`);
  });

export const labelsOf = (workload: Tree): Tree => treeAt(podOf(workload), 'metadata', 'labels');

export interface Variable {
  name: string;
  value?: string;
  secret?: { name: string; key: string };
}

/** A container's own variables, and those of the ConfigMaps that it takes whole. */
export const variablesOf = (container: Tree, manifests: Tree[]): Variable[] => [
  ...listAt(container, 'envFrom').flatMap((from) => {
    const name = treeAt(from, 'configMapRef').name;
    const map = ofKind(manifests, 'ConfigMap').find((one) => nameOf(one) === name);
    if (!map) throw new Error(`There is no ConfigMap ${String(name)}.`);
    return Object.entries(treeAt(map, 'data')).map(([key, value]) => ({ name: key, value: String(value) }));
  }),
  ...listAt(container, 'env').map(({ name, value, valueFrom }) => {
    const secret = isTree(valueFrom) ? treeAt(valueFrom, 'secretKeyRef') : undefined;
    return {
      name: String(name),
      value: value === undefined ? undefined : String(value),
      secret: secret && { name: String(secret.name), key: String(secret.key) },
    };
  }),
];

/** As the process sees them: the later one of a name counts. */
export const environmentOf = (container: Tree, manifests: Tree[]): Record<string, string | undefined> =>
  Object.fromEntries(variablesOf(container, manifests).map(({ name, value }) => [name, value]));
