import { describe, expect, it } from 'vitest';
import { signInLinks } from './sign-in-links.js';

describe('a sign-in code', () => {
  it('is good once', () => {
    const links = signInLinks();
    const code = links.make();
    expect([links.spend(code), links.spend(code)]).toEqual([true, false]);
  });

  it('is good for ten minutes and not longer', () => {
    let now = 0;
    const links = signInLinks(() => now);
    const [inTime, late] = [links.make(), links.make()];
    now = 10 * 60_000 - 1;
    expect(links.spend(inTime)).toBe(true);
    now += 1;
    expect(links.spend(late)).toBe(false);
  });

  it('can not be guessed from another', () => {
    const links = signInLinks();
    expect(links.make()).not.toBe(links.make());
    expect(links.spend('')).toBe(false);
  });
});
