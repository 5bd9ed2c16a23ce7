import { CodedError } from '@postmaster/contracts';
import { describe, expect, it } from 'vitest';
import { check } from './check.js';
import { ok } from './finding.js';

describe('a check', () => {
  it('that hangs ends with its time limit, with its signal aborted', async () => {
    let signal: AbortSignal | undefined;
    const found = await check('slow', 30, (given) => {
      signal = given;
      return new Promise(() => {});
    });
    expect(found).toMatchObject({ name: 'slow', state: 'fail', said: 'It did not answer within 0.03 s.' });
    expect(signal?.aborted).toBe(true);
    expect(found.ms).toBeLessThan(1_000);
  });

  it('says what a coded error says, and its next step', async () => {
    const found = await check('login', 100, () =>
      Promise.reject(new CodedError('DATABASE_ROLE', 'It is a superuser.')),
    );
    expect(found).toMatchObject({
      state: 'fail',
      said: 'It is a superuser.',
      next: expect.stringContaining('MIGRATE_GRANT_TO'),
    });
  });

  it.each([
    [{ code: '28P01', message: 'password authentication failed' }, /^The password is refused/, /DATABASE_URL/],
    [
      { message: '', errors: [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:1' }] },
      /Nothing listens there/,
      /Start it/,
    ],
    [
      { message: 'fetch failed', cause: { code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND x' } },
      /name is not known/,
      /address/,
    ],
    [new Error('timeout exceeded when trying to connect'), /timeout exceeded/, /firewall/],
    ['odd', /^odd\.$/, /message/],
  ])('puts %p into words', async (thrown, said, next) => {
    const found = await check('x', 100, () => Promise.reject(thrown as Error));
    expect(found.said).toMatch(said);
    expect(found.next).toMatch(next);
  });

  it('gives no next step where nothing is wrong', async () => {
    expect(await check('x', 100, () => ok('Well.'))).toMatchObject({ state: 'ok', said: 'Well.', next: null });
  });
});
