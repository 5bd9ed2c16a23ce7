// How the benches measure: milliseconds, quantiles, the machine's load, rounding.
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';

export const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
export const median = (values) => quantile(values, 0.5);
export const quantiles = (values) => ({ p50: median(values), p95: quantile(values, 0.95), least: Math.min(...values) });

export const timed = async (work) => {
  const from = performance.now();
  const result = await work();
  return [performance.now() - from, result];
};

/** Three digits after the point, wherever in a result a number stands. */
export const rounded = (value) => {
  if (typeof value === 'number') return Math.round(value * 1000) / 1000;
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, rounded(of)]));
};

/** Processes that wanted a core, on average over the last minute: figures of a busy machine say so. */
export const load = () => loadavg()[0];

export const say = (text) => process.stderr.write(`${text}\n`);
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
