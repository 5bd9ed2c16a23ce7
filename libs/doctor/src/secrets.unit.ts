import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './secrets.js';

describe('secrets', () => {
  const clean = withoutSecrets({
    DATABASE_URL: 'postgres://login:p%40ss%2Cword,1@db:5432/postmaster',
    NATS_URL: 'nats://lone-token-1@a:4222,nats://u:other-pass@b:4222',
    QDRANT_API_KEY: 'key-of-qdrant',
    POSTMASTER_IDENTITY_SECRET: 'x'.repeat(40),
    S3_ACCESS_KEY_ID: 'AKIA-not-secret',
    NATS_PASSWORD: 'abc',
    LLM_MODEL: 'llama',
  });

  it('are taken out of any text, as they are written and as they are read', () => {
    for (const secret of [
      'p%40ss%2Cword,1',
      'p@ss,word,1',
      'lone-token-1',
      'other-pass',
      'key-of-qdrant',
      'x'.repeat(40),
    ])
      expect(clean(`He said "${secret}", twice: ${secret}.`)).toBe('He said "…", twice: ….');
  });

  it('that are short go where they stand alone', () => {
    expect(clean('abc (abc) abcd')).toBe('… (…) abcd');
  });

  it('leave names, hosts and ids', () => {
    const text = 'login at db:5432, AKIA-not-secret, llama, u';
    expect(clean(text)).toBe(text);
  });

  it('leave everything where there are none', () => {
    expect(withoutSecrets({})('Nothing.')).toBe('Nothing.');
  });
});
