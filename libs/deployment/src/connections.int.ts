import { describe, expect, it } from 'vitest';
import { composeServices } from './compose-file.js';
import { containersOf, environmentOf, nameOf, ofKind } from './manifest.js';
import { renderKustomization } from './render-kustomization.js';
import { listAt, readText, readYaml, treeAt } from './repository.js';

const RESERVED = 50;

describe('connections to Postgres', () => {
  it('of as many replicas as production may have, and one more of each, are fewer than Postgres takes', () => {
    const manifests = renderKustomization('k8s/overlays/production');
    const rows = ofKind(manifests, 'Deployment').flatMap((deployment) => {
      const [container = {}] = containersOf(deployment);
      const pool = Number(environmentOf(container, manifests).DATABASE_POOL_SIZE ?? 0);
      const scaler = ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').find(
        (one) => treeAt(one, 'spec', 'scaleTargetRef').name === nameOf(deployment),
      );
      const { maxReplicas, maxReplicaCount } = treeAt(scaler ?? {}, 'spec');
      const replicas = Number(maxReplicas ?? maxReplicaCount ?? treeAt(deployment, 'spec').replicas);
      const { maxSurge } = treeAt(deployment, 'spec', 'strategy', 'rollingUpdate');
      return pool === 0
        ? []
        : [{ name: nameOf(deployment), pool, replicas, most: pool * (replicas + Number(maxSurge)) }];
    });
    const postgres = readYaml('k8s/neighbours/postgres.yaml');
    const limit = Number(treeAt(postgres, 'spec', 'postgresql', 'parameters').max_connections);
    const all = rows.reduce((sum, { most }) => sum + most, 0);
    expect(all).toBeLessThanOrEqual(limit - RESERVED);

    const said = readText('docs/operations.md').replace(/ +/g, ' ');
    for (const { name, pool, replicas, most } of rows)
      expect(said).toContain(`| ${name} | ${pool} | ${replicas} | ${most} |`);
    expect(said).toContain(`| all | | | ${all} of ${limit - RESERVED} |`);
  });

  it('of the compose file leave room for more of each', () => {
    const services = composeServices();
    const pools = services.map(({ environment }) => Number(environment.DATABASE_POOL_SIZE ?? 0));
    const { command } = services.find(({ name }) => name === 'postgres') ?? {};
    const limit = /max_connections=(\d+)/.exec(String(command))?.[1];
    expect(3 * pools.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(Number(limit) - RESERVED);
  });

  it('are at least one for each service that is given an address of Postgres', () => {
    for (const deployment of ofKind(renderKustomization('k8s/base'), 'Deployment'))
      for (const container of containersOf(deployment)) {
        const names = listAt(container, 'env').map(({ name }) => name);
        expect([nameOf(deployment), names.includes('DATABASE_POOL_SIZE')]).toEqual([
          ...[nameOf(deployment), names.includes('DATABASE_URL')],
        ]);
      }
  });
});
