import { describe, expect, it } from 'vitest';
import { type Identity, identitySeal, TenantId } from '@postmaster/contracts';
import { reuseTokens } from './reuse-tokens.js';

const seal = identitySeal(new TextEncoder().encode('a secret of at least 32 characters'));
const acme: Identity = { tenant: TenantId.parse('acme'), subject: 'k1', scopes: ['read'] };

describe('a token', () => {
  it('is used again for 20 seconds by the same caller', async () => {
    let [now, signed] = [0, 0];
    const counting = {
      open: seal.open,
      sign: (identity: Identity) => seal.sign(identity).finally(() => (signed += 1)),
    };
    const reusing = reuseTokens(counting, () => now);
    const first = await reusing.sign(acme);
    now = 19_999;
    expect(await reusing.sign({ ...acme })).toBe(first);
    expect(signed).toBe(1);
    now = 20_000;
    await reusing.sign(acme);
    expect(signed).toBe(2);
  });

  it('is of no one else: neither another tenant, nor key, nor scopes', async () => {
    const reusing = reuseTokens(seal);
    const others: Identity[] = [
      acme,
      { ...acme, tenant: TenantId.parse('other') },
      { ...acme, subject: 'k2' },
      { ...acme, scopes: ['read', 'write'] },
    ];
    for (const identity of others) expect(await seal.open(await reusing.sign(identity))).toEqual(identity);
  });
});
