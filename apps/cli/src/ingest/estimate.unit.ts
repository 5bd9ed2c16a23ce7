import { describe, expect, it } from '@jest/globals';
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

  it('gives any file that is not empty one call at least', () => {
    expect(estimate([fileSource('/a.md', 3), fileSource('/empty.md', 0)], 120).calls).toBe(1);
  });

  it('says which part it can not know, and how it counted the rest', () => {
    const { unknown, how } = estimate([{ kind: 'url', sourceId: 'https://example.org/' }], 120);
    expect(unknown).toBe(1);
    expect(how).toMatch(/from file sizes.*1 address is not counted/);
  });
});
