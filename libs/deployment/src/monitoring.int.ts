import { describe, expect, it } from 'vitest';
import { composeServices } from './compose-file.js';
import { nameOf, ofKind } from './manifest.js';
import { metricsIn, metricsKnown } from './metric-names.js';
import { renderKustomization } from './render-kustomization.js';
import { isThere, listAt, listFolder, readText, readYaml, textsIn, type Tree, treeAt } from './repository.js';

const known = metricsKnown();
const unknown = (expression: string): string[] => metricsIn(expression).filter((name) => !known.has(name));
const balanced = (expression: string): boolean =>
  ['()', '{}', '[]'].every(
    ([open = '', close = '']) => expression.split(open).length === expression.split(close).length,
  );

const alerts = listAt(readYaml('deploy/prometheus/alerts.yml'), 'groups').flatMap((group) => listAt(group, 'rules'));
const dashboards = listFolder('deploy/grafana/dashboards').map((file) => readYaml(`deploy/grafana/dashboards/${file}`));

describe('alerts', () => {
  it.each(alerts.map((one) => [String(one.alert), one]))('%s goes by metrics that there are', (_name, alert) => {
    const expression = String((alert as Tree).expr);
    expect(metricsIn(expression).length).toBeGreaterThan(0);
    expect([unknown(expression), balanced(expression)]).toEqual([[], true]);
  });

  it('have a page each, named after them, with its sections; and no page is left over', () => {
    for (const { alert, annotations, labels } of alerts) {
      const { runbook, summary } = annotations as Tree;
      expect(runbook).toBe(`docs/runbooks/${String(alert)}.md`);
      expect(String(summary)).not.toBe('');
      expect(['page', 'ticket']).toContain((labels as Tree).severity);
      const page = readText(String(runbook));
      for (const part of [
        `# ${String(alert)}`,
        '**What it means.**',
        '**Who suffers.**',
        '## Look',
        '## Do',
        '## When to worry',
      ])
        expect(page).toContain(part);
    }
    expect(listFolder('docs/runbooks')).toEqual(alerts.map(({ alert }) => `${String(alert)}.md`).sort());
  });

  it('are loaded by Prometheus', () => {
    expect(readYaml('deploy/prometheus/prometheus.yml').rule_files).toEqual(['alerts.yml']);
  });
});

describe('pages', () => {
  it('link to files that there are', () => {
    const pages = ['docs/operations.md', ...listFolder('docs/runbooks').map((one) => `docs/runbooks/${one}`)];
    for (const page of pages)
      for (const [, link = ''] of readText(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
        const path = new URL(link, `file:///${page}`).pathname.slice(1);
        expect([page, link, isThere(path)]).toEqual([page, link, true]);
      }
  });
});

describe('the dashboard', () => {
  const panels = dashboards.flatMap((one) => listAt(one, 'panels'));
  const targets = panels.flatMap((panel) => listAt(panel, 'targets').map((target) => ({ panel, target })));

  it('shows metrics that there are', () => {
    expect(targets.length).toBeGreaterThan(30);
    for (const { panel, target } of targets)
      expect([panel.title, unknown(String(target.expr)), balanced(String(target.expr))]).toEqual([
        panel.title,
        [],
        true,
      ]);
  });

  it('asks data sources that are set up, and its panels lie beside each other', () => {
    const uids = listAt(readYaml('deploy/grafana/provisioning/datasources/datasources.yml'), 'datasources').map(
      ({ uid }) => uid,
    );
    const cells = new Set<string>();
    for (const panel of panels) {
      if (panel.type !== 'row') expect(uids).toContain(treeAt(panel, 'datasource').uid);
      const { x, y, w, h } = treeAt(panel, 'gridPos') as Record<string, number>;
      for (let i = x ?? 0; i < (x ?? 0) + (w ?? 0); i++)
        for (let j = y ?? 0; j < (y ?? 0) + (h ?? 0); j++) {
          expect([panel.title, cells.has(`${i} ${j}`), i < 24]).toEqual([panel.title, false, true]);
          cells.add(`${i} ${j}`);
        }
    }
  });

  it('is found by Grafana where compose mounts it', () => {
    const [provider] = listAt(readYaml('deploy/grafana/provisioning/dashboards/dashboards.yml'), 'providers');
    const grafana = composeServices().find(({ name }) => name === 'grafana');
    expect(grafana?.raw.volumes).toContain(
      `./deploy/grafana/dashboards:${String(treeAt(provider ?? {}, 'options').path)}:ro`,
    );
  });
});

describe('addresses in configuration', () => {
  it('of Prometheus, Grafana and the collector name services of the compose file', () => {
    const names = composeServices().map(({ name }) => name);
    const scraped = listAt(readYaml('deploy/prometheus/prometheus.yml'), 'scrape_configs').flatMap((one) =>
      listAt(one, 'dns_sd_configs').flatMap((dns) => dns.names as string[]),
    );
    expect(scraped).toEqual([
      'gateway',
      'tenants',
      'ingestion',
      'enrichment',
      'embedding',
      'embedding-query',
      'retrieval',
    ]);
    const files = ['grafana/provisioning/datasources/datasources.yml', 'otel-collector/config.yml'];
    const addresses = files.flatMap((file) =>
      textsIn(readYaml(`deploy/${file}`)).filter(
        ({ key, text }) => /^(url|endpoint)$/.test(key) && !text.startsWith('0.0.0.0'),
      ),
    );
    expect(addresses).toHaveLength(3);
    for (const { text } of [...addresses, ...scraped.map((one) => ({ text: one }))])
      expect(names).toContain(text.replace(/^http:\/\//, '').replace(/:\d+$/, ''));
  });
});

describe('scalers by backlog', () => {
  const scalers = ofKind(renderKustomization('k8s/overlays/production'), 'ScaledObject');
  const queries = (scaler: Tree): string[] =>
    listAt(scaler, 'spec', 'triggers').map((one) => String(treeAt(one, 'metadata').query));

  it.each(scalers.map((one) => [nameOf(one), one]))('%s goes by waiting jobs and by consumer lag', (_name, scaler) => {
    const metrics = queries(scaler as Tree).map(metricsIn);
    expect(metrics.flat().filter((name) => !known.has(name))).toEqual([]);
    expect(metrics.map(([first]) => first)).toEqual(['postmaster_pending_jobs', 'postmaster_consumer_pending']);
  });

  it('count no jobs that wait for a model, an encoder or a store that is out', () => {
    for (const scaler of scalers.filter((one) => nameOf(one) !== 'ingestion'))
      expect(metricsIn(queries(scaler)[0] ?? '')).toContain('postmaster_worker_paused');
  });

  it('name kinds of jobs and consumers that the code has', () => {
    const kinds = {
      ingestion: readText('libs/ingestion/src/rows/documents.ts'),
      enrichment: readText('libs/enrichment/src/rows/paragraphs.ts'),
      embedding: readText('libs/embedding/src/rows/keep-newer.ts'),
    };
    for (const scaler of scalers) {
      const name = nameOf(scaler) as keyof typeof kinds;
      const named = [
        ...queries(scaler)
          .join()
          .matchAll(/kind=~?"([^"]+)"/g),
      ].flatMap(([, all = '']) => all.split('|'));
      expect(named.length).toBeGreaterThan(0);
      for (const kind of named) expect(kinds[name]).toContain(`= '${kind.replaceAll('[.]', '.')}'`);
      expect(queries(scaler)[1]).toContain(`consumer=~"${name}.+"`);
    }
  });
});
