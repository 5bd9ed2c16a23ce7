import { createMetrics } from '@postmaster/service';
import { listFolder, readText } from './repository.js';

/** Made by Prometheus itself and by kube-state-metrics. */
const OF_OTHERS = ['up', 'kube_deployment_status_replicas_unavailable'];

/** Ours by their names in the code, whatever process gives them, and Node's own. */
export const metricsKnown = (): Set<string> => {
  const sources = listFolder('libs/service/src').filter((file) => /^[^.]+\.ts$/.test(file));
  const ours = sources.flatMap(
    (file) => readText(`libs/service/src/${file}`).match(/(?<=')postmaster_[a-z_]+(?=')/g) ?? [],
  );
  const registered = createMetrics('a-service').registry.getMetricsAsArray();
  return new Set([...ours, ...registered.map(({ name }) => name), ...OF_OTHERS]);
};

const WORDS = /\b(by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)/g;
const NOT_METRICS = new Set(['and', 'or', 'unless', 'offset', 'bool', 'by', 'on', 'without', 'ignoring', 'inf', 'nan']);

/** The metrics that a PromQL expression reads, by the names they were made with. */
export const metricsIn = (expression: string): string[] => {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(WORDS, ' ');
  const names = [...bare.matchAll(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/gi)].map(([name]) => name);
  return [...new Set(names.filter((name) => !NOT_METRICS.has(name)))]
    .filter((name) => !/^\d/.test(name))
    .map((name) => name.replace(/^(postmaster_.+_seconds|postmaster_job_attempts)_(bucket|count|sum)$/, '$1'));
};
