import { describe, expect, it } from 'vitest';
import { metricsIn } from './metric-names.js';

describe('the metrics of an expression', () => {
  it('are found without its functions, labels, ranges and numbers', () => {
    const expression = 'sum by (le, kind) (rate(postmaster_jobs_total{outcome!~"done|up"}[5m])) > 0.5 or vector(0)';
    expect(metricsIn(expression)).toEqual(['postmaster_jobs_total']);
  });
  it('are named as they were made, whatever part of a histogram is read', () => {
    expect(metricsIn('rate(postmaster_search_seconds_bucket[5m]) / rate(postmaster_search_seconds_count[5m])')).toEqual(
      ['postmaster_search_seconds', 'postmaster_search_seconds'],
    );
  });
  it('are found on both sides of a join, and before an offset', () => {
    expect(metricsIn('(a - (b offset 15m)) unless on (kind) c == 1')).toEqual(['a', 'b', 'c']);
  });
});
