import { describe, expect, it } from 'vitest';
import { estimate } from './estimate.js';
import { fileSource } from './source.js';

describe('estimating the calls of a model', () => {
  it('grows with the size of the files', () => {
    const one = estimate([fileSource('/a.md', 100_000)], 120);
    const two = estimate([fileSource('/a.md', 100_000), fileSource('/b.md', 100_000)], 120);
    expect(two.calls).toBe(2 * one.calls);
    expect(two.inputTokens).toBeGreaterThan(two.outputTokens);
  });

  it('counts less text in a byte of a PDF or DOCX than in one of Markdown', () => {
    const calls = (name: string): number => estimate([fileSource(name, 1_000_000)], 120).calls;
    expect(calls('/a.pdf')).toBeLessThan(calls('/a.docx'));
    expect(calls('/a.docx')).toBeLessThan(calls('/a.md'));
  });

  it('expects fewer calls where paragraphs are longer', () => {
    const files = [fileSource('/a.txt', 500_000)];
    expect(estimate(files, 240).calls).toBeLessThan(estimate(files, 120).calls);
  });

  it('gives any file that is not empty a call for facets and one for metadata at least', () => {
    const { calls, tasks } = estimate([fileSource('/a.md', 3), fileSource('/empty.md', 0)], 120);
    expect([calls, tasks.facets.calls, tasks.metadata.calls]).toEqual([2, 1, 1]);
  });

  it.each([
    [399, 0],
    [400, 1],
    [12_000, 1],
    [12_001, 3],
    [10_000_000, 9],
  ])('expects of a text of %i letters %i calls for its summary', (letters, calls) => {
    expect(estimate([fileSource('/a.md', letters)], 120).tasks.summaries.calls).toBe(calls);
  });

  it('has in all what the tasks have together', () => {
    const { tasks, ...all } = estimate([fileSource('/a.md', 100_000), fileSource('/b.md', 1_000)], 120);
    for (const what of ['calls', 'inputTokens', 'outputTokens'] as const)
      expect(all[what]).toBe(tasks.facets[what] + tasks.metadata[what] + tasks.summaries[what]);
  });

  it('says which part it can not know, and how it counted the rest', () => {
    const { unknown, how } = estimate([{ kind: 'url', sourceId: 'https://example.org/' }], 120);
    expect(unknown).toBe(1);
    expect(how).toMatch(/from file sizes.*1 address is not counted/);
  });

  it('counts a call for the entities of each few paragraphs of a document, where a model reads them', () => {
    const files = [fileSource('/a.md', 100_000), fileSource('/b.md', 1_000)];
    const [without, all] = [estimate(files, 120), estimate(files, 120, true)];
    expect(without.tasks.entities).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0 });
    expect(all.tasks.entities.calls).toBe(24); // 184 paragraphs by eights, and 2
    expect(all.calls).toBe(without.calls + 24);
    expect(estimate(files, 1_000, true).tasks.entities.calls).toBe(23); // 22 long ones, one a call
  });
});
