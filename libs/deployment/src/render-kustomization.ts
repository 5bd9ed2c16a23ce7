import { posix } from 'node:path';
import { nameOf } from './manifest.js';
import { mergePatch } from './merge-patch.js';
import { isThere, isTree, listAt, readDocuments, readYaml, type Tree, treeAt, type Value } from './repository.js';

const KNOWN = ['apiVersion', 'kind', 'namespace', 'resources', 'components', 'images', 'patches'];
const CLUSTER_WIDE = ['Namespace'];

/**
 * What `kubectl kustomize` gives for a folder, for the few features that ours use; a test holds it against the real one
 * where that is installed. Throws on any other feature.
 */
export const renderKustomization = (folder: string): Tree[] => render(folder, readYaml(`${folder}/kustomization.yaml`));

/** The base with one component, which no overlay of ours may have. */
export const renderWithComponent = (component: string): Tree[] =>
  render('k8s/overlays/made-for-a-test', {
    kind: 'Kustomization',
    namespace: 'postmaster',
    resources: ['../../base'],
    components: [`../../components/${component}`],
    images: [{ name: 'postmaster', newName: 'postmaster', newTag: 'test' }],
  });

const render = (folder: string, kustomization: Tree, given: Tree[] = []): Tree[] => {
  const strange = Object.keys(kustomization).filter((key) => !KNOWN.includes(key));
  if (strange.length > 0) throw new Error(`${folder}: the renderer does not know ${strange.join(', ')}.`);
  const { namespace } = kustomization;
  let manifests = [...given, ...pathsAt(kustomization, 'resources').flatMap((path) => load(posix.join(folder, path)))];
  for (const component of pathsAt(kustomization, 'components')) {
    const path = posix.join(folder, component);
    manifests = render(path, readYaml(`${path}/kustomization.yaml`), manifests);
  }
  for (const patch of listAt(kustomization, 'patches')) manifests = applyPatch(folder, patch, manifests);
  if (typeof namespace === 'string') manifests = manifests.map((one) => inNamespace(one, namespace));
  return listAt(kustomization, 'images').reduce(
    (all, image) => all.map((one) => withImage(one, image) as Tree),
    manifests,
  );
};

const pathsAt = (kustomization: Tree, key: string): string[] => {
  const paths = kustomization[key];
  return Array.isArray(paths) ? paths.map(String) : [];
};

const load = (path: string): Tree[] =>
  isThere(`${path}/kustomization.yaml`) ? renderKustomization(path) : readDocuments(path);

const applyPatch = (folder: string, { path, target }: Tree, manifests: Tree[]): Tree[] => {
  const [change = {}] = readDocuments(posix.join(folder, String(path)));
  const hits = target === undefined ? isSame(change) : isTargeted(target as Tree);
  if (!manifests.some(hits)) throw new Error(`${folder}/${String(path)} patches nothing.`);
  const { apiVersion: _version, kind: _kind, metadata: _named, ...rest } = change;
  return manifests.map((one) => (hits(one) ? mergePatch(one, target === undefined ? change : rest) : one));
};

const isSame = (change: Tree) => (one: Tree) => one.kind === change.kind && nameOf(one) === nameOf(change);
const isTargeted = (target: Tree) => (one: Tree) =>
  one.kind === target.kind && (target.name === undefined || new RegExp(`^(${String(target.name)})$`).test(nameOf(one)));

const inNamespace = (manifest: Tree, namespace: string): Tree =>
  CLUSTER_WIDE.includes(String(manifest.kind))
    ? manifest
    : { ...manifest, metadata: { ...treeAt(manifest, 'metadata'), namespace } };

const withImage = (value: Value | undefined, image: Tree): Value | undefined => {
  if (Array.isArray(value)) return value.map((one) => withImage(one, image) as Value);
  if (!isTree(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'image' && one === image.name
        ? `${String(image.newName)}:${String(image.newTag)}`
        : withImage(one, image),
    ]),
  );
};
