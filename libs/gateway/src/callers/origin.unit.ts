import { describe, expect, it } from 'vitest';
import { requireSameOrigin } from './origin.js';

const host = 'localhost:4000';

describe('a session', () => {
  it('is opened from anywhere by a person, but not read by another origin’s page', () => {
    const link = { host, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' };
    for (const headers of [
      { host },
      link,
      { host, 'sec-fetch-site': 'none' },
      { host, 'sec-fetch-site': 'same-origin' },
    ])
      expect(() => requireSameOrigin('GET', headers)).not.toThrow();
    const embedded = { host, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' };
    expect(() => requireSameOrigin('GET', embedded)).toThrow(expect.objectContaining({ code: 'ORIGIN_REFUSED' }));
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
