import { describe, expect, it } from 'vitest';
import { CodedError, type Failure, TenantId } from '@postmaster/contracts';
import type { SubgraphContext } from '@postmaster/service';
import { askPause } from './ask-pause.js';

const request = (): SubgraphContext => ({
  ...{ token: 'token', requestId: 'request', signal: new AbortController().signal },
  identity: { tenant: TenantId.parse('acme'), subject: 'k1', scopes: ['read'] },
});

describe('the reason why facets wait', () => {
  it('is asked for once, however many documents a request shows', async () => {
    let calls = 0;
    const paused = (): Promise<Failure | null> => Promise.resolve((calls++, null));
    const one = request();
    await Promise.all([askPause({ paused }, one), askPause({ paused }, one)]);
    await askPause({ paused }, request());
    expect(calls).toBe(2);
  });

  it('is that nobody answers, where nobody does', async () => {
    const paused = () => Promise.reject(new CodedError('TIMED_OUT', 'late'));
    expect(await askPause({ paused }, request())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(askPause({ paused: () => Promise.reject(new Error('broken')) }, request())).rejects.toThrow('broken');
  });
});
