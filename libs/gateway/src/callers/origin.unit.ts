import { describe, expect, it } from '@jest/globals';
import { requireSameOrigin } from './origin.js';

const host = 'localhost:4000';

describe('a session', () => {
  it('reads from anywhere, for the cookie itself stays with this site', () => {
    expect(() => requireSameOrigin('GET', { host, origin: 'https://elsewhere.example' })).not.toThrow();
  });

  it('writes only from this very origin, as the browser tells it', () => {
    expect(() => requireSameOrigin('POST', { host, origin: 'http://localhost:4000' })).not.toThrow();
    expect(() => requireSameOrigin('POST', { host, 'sec-fetch-site': 'same-origin' })).not.toThrow();
    const foreign = [
      { host },
      { host, origin: 'http://localhost:5000' },
      { host, origin: 'null' },
      { host, origin: 'not an address' },
      { host, origin: 'http://localhost:4000', 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign)
      expect(() => requireSameOrigin('POST', headers)).toThrow(expect.objectContaining({ code: 'ORIGIN_REFUSED' }));
  });
});
