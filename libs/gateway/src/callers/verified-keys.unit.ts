import { describe, expect, it } from 'vitest';
import { CodedError, type Identity, TenantId } from '@postmaster/contracts';
import { verifiedKeys } from './verified-keys.js';

const MINUTE = 60_000;
const acme: Identity = { tenant: TenantId.parse('acme'), subject: 'k1', scopes: ['read'] };

/** The tenants service, as far as keys go. */
const tenants = () => {
  const self = {
    now: 0,
    asked: 0,
    revoked: false,
    away: false as false | 'SERVICE_UNAVAILABLE' | 'TIMED_OUT',
    verify: async (): Promise<Identity> => {
      self.asked += 1;
      if (self.away) throw new CodedError(self.away, 'Nobody answers.');
      if (self.revoked) throw new CodedError('KEY_INVALID', 'The API key was revoked.');
      return acme;
    },
  };
  return self;
};

const remembering = (service: ReturnType<typeof tenants>, maxKeys = 100) =>
  verifiedKeys(service.verify, { freshMs: MINUTE / 2, staleMs: 5 * MINUTE, maxKeys, now: () => service.now });

const codeOf = (answer: Promise<unknown>) => answer.then(() => 'ok').catch((error: CodedError) => error.code);

describe('a verified key', () => {
  it('is asked for each time, and refused at once when revoked, unless it is to be remembered', async () => {
    const service = tenants();
    const verify = verifiedKeys(service.verify, { freshMs: 0, staleMs: 0 });
    await verify('a');
    service.revoked = true;
    expect(await codeOf(verify('a'))).toBe('KEY_INVALID');
  });

  it('is believed for half a minute, and refused after that when revoked', async () => {
    const service = tenants();
    const verify = remembering(service);
    await verify('a');
    service.revoked = true;
    service.now = MINUTE / 2 - 1;
    expect(await verify('a')).toEqual(acme);
    service.now = MINUTE / 2;
    expect(await codeOf(verify('a'))).toBe('KEY_INVALID');
    service.away = 'SERVICE_UNAVAILABLE';
    expect(await codeOf(verify('a'))).toBe('SERVICE_UNAVAILABLE'); // what was refused is forgotten
  });

  it('that is refused is asked for again: it may have been made meanwhile', async () => {
    const service = tenants();
    const verify = remembering(service);
    service.revoked = true;
    expect(await codeOf(verify('a'))).toBe('KEY_INVALID');
    service.revoked = false;
    expect(await verify('a')).toEqual(acme);
  });

  it('serves for five minutes while the tenants service is away, without asking it at each request', async () => {
    const service = tenants();
    const verify = remembering(service);
    await verify('a');
    for (const code of ['SERVICE_UNAVAILABLE', 'TIMED_OUT'] as const) {
      service.away = code;
      service.now += MINUTE;
      const before = service.asked;
      for (let n = 0; n < 10; n += 1) expect(await verify('a')).toEqual(acme);
      expect(service.asked).toBe(before + 1);
      expect(await codeOf(verify('b'))).toBe(code);
    }
    service.now = 5 * MINUTE;
    expect(await codeOf(verify('a'))).toBe('TIMED_OUT');
    service.away = false;
    expect(await verify('a')).toEqual(acme);
  });

  it('is refused as soon as the tenants service is back and says so', async () => {
    const service = tenants();
    const verify = remembering(service);
    await verify('a');
    service.away = 'TIMED_OUT';
    service.now = MINUTE;
    await verify('a');
    [service.away, service.revoked] = [false, true];
    service.now += 2_000;
    expect(await codeOf(verify('a'))).toBe('KEY_INVALID');
  });

  it('is asked for once by requests that come together', async () => {
    const service = tenants();
    const verify = remembering(service);
    await Promise.all(Array.from({ length: 20 }, () => verify('a')));
    expect(service.asked).toBe(1);
  });

  it('is forgotten when too many others came after it', async () => {
    const service = tenants();
    const verify = remembering(service, 2);
    for (const key of ['a', 'b', 'c']) await verify(key);
    await verify('c');
    expect(service.asked).toBe(3);
    await verify('a');
    expect(service.asked).toBe(4);
  });
});
