import { describe, expect, it } from 'vitest';
import { documentOf } from '../../test/stand-in-gateway.js';
import { progressOf } from './progress-of.js';
import { fileSource } from './source.js';
import type { Tracked } from './tracker.js';

const half = { ...documentOf('b', 'b'), progress: { ...documentOf('b', 'b').progress, total: 10, ready: 5 } };
const accepted = { id: 'b', version: 1, unchanged: false };

describe('the progress of an ingest', () => {
  it('goes by the sizes of the sources', () => {
    const all: Tracked[] = [
      { source: fileSource('/small.md', 100), settled: true },
      { source: fileSource('/large.md', 900), settled: false },
    ];
    expect(progressOf(all)(0).fraction).toBeCloseTo(0.1);
  });

  it('grows with the paragraphs of a document', () => {
    const all: Tracked[] = [{ source: fileSource('/b.md', 100), accepted, document: half, settled: false }];
    expect(progressOf(all)(0).fraction).toBeCloseTo(0.05 + 0.95 / 2);
  });

  it('gives rate and time left by the last 20 seconds', () => {
    const tracked: Tracked = { source: fileSource('/b.md', 100), accepted, settled: false };
    const progress = progressOf([tracked]);
    expect(progress(0).secondsLeft).toBeUndefined();
    progress(85_000);
    progress(100_000);
    tracked.document = half;
    const { rate, secondsLeft } = progress(110_000);
    expect(rate).toBeCloseTo(5 / 25); // since the last look that was 20 s ago or more
    expect(secondsLeft).toBeCloseTo(25);
  });

  it('is whole when all are settled', () => {
    const progress = progressOf([{ source: { kind: 'url', sourceId: 'https://example.org' }, settled: true }]);
    expect(progress(0).fraction).toBe(1);
  });
});
