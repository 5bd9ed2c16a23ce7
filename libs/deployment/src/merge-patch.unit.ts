import { describe, expect, it } from 'vitest';
import { mergePatch } from './merge-patch.js';

describe('a strategic merge', () => {
  it('merges trees, and null removes', () => {
    expect(mergePatch({ a: { b: 1, c: 2 } }, { a: { b: 3, c: null } })).toEqual({ a: { b: 3 } });
  });
  it('merges lists by the names of their items', () => {
    const base = {
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    };
    const patch = {
      env: [
        { name: 'C', value: '3' },
        { name: 'B', value: '4' },
      ],
    };
    expect(mergePatch(base, patch)).toEqual({
      env: [
        { name: 'C', value: '3' },
        { name: 'A', value: '1' },
        { name: 'B', value: '4' },
      ],
    });
  });
  it('replaces every other list', () => {
    expect(mergePatch({ command: ['a', 'b'] }, { command: ['c'] })).toEqual({ command: ['c'] });
  });
});
