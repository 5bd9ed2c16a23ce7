import { describe, expect, it } from 'vitest';
import { type StageCounts, statusOf } from './document.js';
import { secondsLeft } from './seconds-left.js';

const counts = (given: Partial<StageCounts>): StageCounts => ({
  ...{ total: 4, textDone: 0, textFailed: 0, facetsDone: 0, facetsFailed: 0, settled: 0 },
  ...given,
});

describe("a document's state", () => {
  it.each([
    ['PARSED', {}],
    ['PARSED', { textDone: 3, facetsDone: 4 }],
    ['SEARCHABLE', { textDone: 4 }],
    ['SEARCHABLE', { textDone: 3, textFailed: 1, facetsDone: 3 }],
    ['READY', { textDone: 4, facetsDone: 4 }],
    ['READY', { textDone: 4, facetsDone: 2, facetsFailed: 2 }],
    ['READY', { textDone: 1, textFailed: 3, facetsFailed: 4 }],
    ['FAILED', { textFailed: 4 }],
    ['FAILED', { textFailed: 4, facetsDone: 4 }],
  ] as const)('is %s with %j of 4 paragraphs', (status, given) => {
    expect(statusOf(counts(given))).toBe(status);
  });
});

describe('the time left', () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
  const left = (given: Partial<StageCounts>, status: 'PARSED' | 'READY' | 'FAILED' = 'PARSED') =>
    secondsLeft(counts(given), { acceptedAt: at(0), status }, at(30));

  it('goes by the pace so far, over both stages', () => {
    expect(left({ textDone: 2 })).toBe(90);
    expect(left({ textDone: 4, facetsDone: 1, facetsFailed: 1 })).toBe(10);
  });

  it('is not known while nothing has ended, and none at an end', () => {
    expect(left({})).toBeNull();
    expect([left({}, 'READY'), left({}, 'FAILED')]).toEqual([0, 0]);
  });
});
