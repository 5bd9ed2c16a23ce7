import { describe, expect, it } from 'vitest';
import { VARIABLES } from '@postmaster/service';
import {
  containersOf,
  environmentOf,
  labelsOf,
  nameOf,
  ofKind,
  podOf,
  selects,
  variablesOf,
  workloadsIn,
} from './manifest.js';
import { renderKustomization, renderWithComponent } from './render-kustomization.js';
import { listAt, listFolder, readText, type Tree, treeAt } from './repository.js';

const RENDERED: [string, Tree[]][] = [
  ...listFolder('k8s/overlays').map((one): [string, Tree[]] => [one, renderKustomization(`k8s/overlays/${one}`)]),
  ...listFolder('k8s/components').map((one): [string, Tree[]] => [`base with ${one}`, renderWithComponent(one)]),
];
const eachContainer = (manifests: Tree[]): [Tree, Tree][] =>
  workloadsIn(manifests).flatMap((workload) => containersOf(workload).map((one): [Tree, Tree] => [workload, one]));

describe.each(RENDERED)('in %s', (_name, manifests) => {
  const workloads = workloadsIn(manifests);
  const deployments = ofKind(manifests, 'Deployment');

  it('every variable is one that processes read, once, in the form they want', () => {
    for (const [, container] of eachContainer(manifests)) {
      const variables = variablesOf(container, manifests);
      expect(variables.filter(({ name }) => !(name in VARIABLES)).map(({ name }) => name)).toEqual([]);
      const own = listAt(container, 'env').map(({ name }) => name);
      expect(own).toEqual([...new Set(own)]);
      for (const { name, value } of variables)
        if (value)
          expect([name, VARIABLES[name as keyof typeof VARIABLES].safeParse(value).success]).toEqual([name, true]);
    }
  });

  it('every secret is one that docs/operations.md says to make, and none is in a manifest', () => {
    const said = new Set(
      [...readText('docs/operations.md').matchAll(/^\| `(postmaster-[a-z0-9-]+)`\s*\| `([a-z0-9-]+)`/gm)].map(
        ([, name, key]) => `${name} ${key}`,
      ),
    );
    const secrets = eachContainer(manifests).flatMap(([, container]) =>
      variablesOf(container, manifests).flatMap(({ secret }) => (secret ? [`${secret.name} ${secret.key}`] : [])),
    );
    expect(secrets.length).toBeGreaterThan(10);
    expect(secrets.filter((one) => !said.has(one))).toEqual([]);
    expect(ofKind(manifests, 'Secret')).toEqual([]);
    for (const [, container] of eachContainer(manifests))
      for (const { name, value } of variablesOf(container, manifests))
        if (/KEY|SECRET|PASSWORD|DATABASE_URL/.test(name)) expect([name, value]).toEqual([name, undefined]);
  });

  it('an address of a service names a Service and its port, and that one chooses pods that listen there', () => {
    const inside = eachContainer(manifests).flatMap(([, container]) =>
      Object.entries(environmentOf(container, manifests)).filter(([, value]) =>
        /^http:\/\/[a-z-]+:\d+$/.test(value ?? ''),
      ),
    );
    expect(new Set(inside.map(([name]) => name)).size).toBe(5);
    for (const [, value] of inside) {
      const { hostname, port } = new URL(value ?? '');
      const service = ofKind(manifests, 'Service').find((one) => nameOf(one) === hostname);
      expect(listAt(service ?? {}, 'spec', 'ports').map((one) => String(one.port))).toContain(port);
    }
    for (const service of ofKind(manifests, 'Service')) {
      const chosen = deployments.filter((one) =>
        selects({ matchLabels: treeAt(service, 'spec', 'selector') }, labelsOf(one)),
      );
      expect(chosen.map(nameOf)).toEqual([nameOf(service)]);
      const ports = containersOf(chosen[0] ?? {}).flatMap((one) => listAt(one, 'ports').map(({ name }) => name));
      for (const { targetPort } of listAt(service, 'spec', 'ports')) expect(ports).toContain(targetPort);
    }
  });

  it('a Deployment chooses its own pods alone, and one PodDisruptionBudget chooses them too', () => {
    for (const deployment of deployments) {
      const chosen = workloads.filter((one) => selects(treeAt(deployment, 'spec', 'selector'), labelsOf(one)));
      expect(chosen.map(nameOf)).toEqual([nameOf(deployment)]);
      const budgets = ofKind(manifests, 'PodDisruptionBudget').filter((one) =>
        selects(treeAt(one, 'spec', 'selector'), labelsOf(deployment)),
      );
      expect(budgets.map(nameOf)).toEqual([nameOf(deployment)]);
    }
  });

  it('every policy and monitor chooses pods that there are, and names ports that they open', () => {
    const policies = ofKind(manifests, 'NetworkPolicy');
    for (const policy of [...policies, ...ofKind(manifests, 'PodMonitor')]) {
      const chooser = policy.kind === 'PodMonitor' ? 'selector' : 'podSelector';
      const chosen = workloads.filter((one) => selects(treeAt(policy, 'spec', chooser), labelsOf(one)));
      expect([nameOf(policy), chosen.length > 0]).toEqual([nameOf(policy), true]);
      for (const { key, values } of listAt(policy, 'spec', chooser, 'matchExpressions'))
        for (const value of values as string[])
          expect(workloads.map((one) => labelsOf(one)[String(key)])).toContain(value);
      for (const { ports } of listAt(policy, 'spec', 'ingress'))
        for (const { port } of ports as Tree[]) expect(port).toBe('http');
    }
    const closed = policies.find((one) => nameOf(one) === 'default-deny');
    expect(treeAt(closed ?? {}, 'spec')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it('whoever has an address of Postgres, Qdrant, NATS or the collector is let through to it, and no one else', () => {
    const ways = { 'to-postgres': /DATABASE_URL$/, 'to-qdrant': /^QDRANT_API_KEY$/, 'to-nats': /^NATS_PASSWORD$/ };
    for (const [policy, variable] of Object.entries(ways)) {
      const open = ofKind(manifests, 'NetworkPolicy').find((one) => nameOf(one) === policy) ?? {};
      for (const [workload, container] of eachContainer(manifests)) {
        const wants = variablesOf(container, manifests).some(({ name, secret }) => secret && variable.test(name));
        expect([policy, nameOf(workload), selects(treeAt(open, 'spec', 'podSelector'), labelsOf(workload))]).toEqual([
          ...[policy, nameOf(workload), wants],
        ]);
      }
    }
  });

  it('ingestion, which runs parsers, reaches nothing outside the cluster unless a component says so', () => {
    const ingestion = deployments.find((one) => nameOf(one) === 'ingestion') ?? {};
    const open = ofKind(manifests, 'NetworkPolicy').filter(
      (one) =>
        selects(treeAt(one, 'spec', 'podSelector'), labelsOf(ingestion)) &&
        listAt(one, 'spec', 'egress').some((way) => listAt(way, 'to').some((to) => 'ipBlock' in to)),
    );
    const allowed = { dev: ['to-public-addresses'], 'base with url-ingestion': ['to-public-addresses'] };
    const here = { ...allowed, 'base with s3-blobs': ['to-s3'] }[_name] ?? [];
    expect(open.map(nameOf)).toEqual(here);
  });

  it('a scaler names a Deployment, which has one and leaves its replicas to it', () => {
    const targets = ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').map((one) =>
      String(treeAt(one, 'spec', 'scaleTargetRef').name),
    );
    expect(targets).toEqual([...new Set(targets)]);
    for (const target of targets) {
      const deployment = deployments.find((one) => nameOf(one) === target);
      expect([target, deployment && treeAt(deployment, 'spec').replicas]).toEqual([target, undefined]);
      expect(deployment).toBeDefined();
    }
  });

  it('every pod runs the same image as a plain user who can change nothing, and asks for what it uses', () => {
    expect(new Set(eachContainer(manifests).map(([, { image }]) => image)).size).toBe(1);
    for (const [workload, container] of eachContainer(manifests)) {
      const pod = treeAt(podOf(workload), 'spec');
      expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
      expect(pod.securityContext).toMatchObject({
        ...{ runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container.securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      });
      for (const bound of ['requests', 'limits'])
        expect(Object.keys(treeAt(container, 'resources', bound)).sort()).toEqual(['cpu', 'memory']);
      const volumes = listAt(pod, 'volumes').map(({ name }) => name);
      expect(listAt(container, 'volumeMounts').map(({ name }) => name)).toEqual(volumes);
    }
  });

  it('a service is asked for its health where it answers, and is given the time that it takes to stop', () => {
    for (const deployment of deployments)
      for (const container of containersOf(deployment)) {
        const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((one) =>
          treeAt(container, one, 'httpGet'),
        );
        expect(probes.map(({ path }) => path)).toEqual(['/health/live', '/health/live', '/health/ready']);
        const given = environmentOf(container, manifests);
        const grace = Number(treeAt(podOf(deployment), 'spec').terminationGracePeriodSeconds) * 1000;
        expect(grace).toBeGreaterThan(Number(given.SHUTDOWN_TIMEOUT_MS));
        expect(Number(given.SHUTDOWN_TIMEOUT_MS)).toBeGreaterThan(Number(given.SHUTDOWN_NOTICE_MS));
        expect(given.PORT).toBe(String(listAt(container, 'ports')[0]?.containerPort));
      }
  });
});
