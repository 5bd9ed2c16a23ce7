import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { idOf } from './manifest.js';
import { renderKustomization, renderWithComponent } from './render-kustomization.js';
import { listFolder, ROOT, type Tree } from './repository.js';
import { againstSchema } from './schemas.js';

const OVERLAYS = listFolder('k8s/overlays');
const COMPONENTS = listFolder('k8s/components');
const deployment = (spec: Tree): Tree => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'one' },
  spec,
});
const pod = (spec: Tree): Tree => ({ selector: { matchLabels: { a: 'b' } }, template: { metadata: {}, spec } });

const kubectlThere = (() => {
  try {
    execFileSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('every manifest', () => {
  it.each(OVERLAYS)('of the overlay %s is as its schema wants it, with no field that is not known', (overlay) => {
    const manifests = renderKustomization(`k8s/overlays/${overlay}`);
    expect(manifests.length).toBeGreaterThan(30);
    expect(manifests.flatMap((one) => againstSchema(one).map((said) => `${idOf(one)}: ${said}`))).toEqual([]);
  });

  it.each(COMPONENTS)('of the component %s is as well', (component) => {
    const manifests = renderWithComponent(component);
    expect(manifests.flatMap((one) => againstSchema(one).map((said) => `${idOf(one)}: ${said}`))).toEqual([]);
  });

  it('stands once', () => {
    const ids = renderKustomization('k8s/overlays/production').map(idOf);
    expect(ids).toEqual([...new Set(ids)]);
  });

  (kubectlThere ? it : it.skip).each(OVERLAYS)('of %s is what kubectl renders', (overlay) => {
    const said = execFileSync('kubectl', ['kustomize', join(ROOT, 'k8s/overlays', overlay)], { encoding: 'utf8' });
    const real = parseAllDocuments(said).map((one) => one.toJS() as Tree);
    const ours = renderKustomization(`k8s/overlays/${overlay}`);
    expect(Object.fromEntries(ours.map((one) => [idOf(one), one]))).toEqual(
      Object.fromEntries(real.map((one) => [idOf(one), one])),
    );
  });
});

describe('the check against schemas', () => {
  it('finds a misspelt field deep inside', () => {
    const said = againstSchema(deployment(pod({ containers: [{ name: 'a', readynessProbe: {} }] })));
    expect(said).toEqual(['unknown: /spec/template/spec/containers/0/readynessProbe']);
  });
  it('finds a wrong type', () => {
    const said = againstSchema(deployment({ ...pod({ containers: [{ name: 'a' }] }), replicas: 'two' }));
    expect(said.join()).toContain('/spec/replicas');
  });
  it('finds what is missing', () => {
    expect(againstSchema(deployment({ template: {} })).join()).toContain('selector');
  });
  it('refuses a kind that it has no schema of', () => {
    expect(againstSchema({ apiVersion: 'v1', kind: 'Secret' })).toEqual(['no schema of v1 Secret']);
  });
});
