import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson } from './wire-json.js';

const sent = (value: unknown): unknown => decodeJson(encodeJson(value));

describe('JSON between services', () => {
  it('keeps what JSON keeps', () => {
    const value = { a: [1, 'two', null, true, { b: {} }], ø: 'å' };
    expect(sent(value)).toEqual(value);
    expect(sent({ at: new Date(0), none: undefined })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
  });

  it('keeps vectors to the bit, also those that are a part of a larger buffer', () => {
    const vector = new Float32Array([Math.PI, -0, Infinity, 1e-45]);
    expect(sent({ vector })).toEqual({ vector });
    expect(sent([new Float32Array([1, 2, 3]).subarray(1)])).toEqual([new Float32Array([2, 3])]);
  });

  it.each([
    { $float32: 'AAAA' },
    { $plain: { $float32: 'AAAA' } },
    { $plain: { $plain: 1 }, other: { $float32: 2 } },
    { $float32: { $plain: 'x' } },
  ])('takes nothing for a vector that was none: %j', (value) => {
    expect(sent(value)).toEqual(value);
  });

  it('throws for what is not JSON', () => {
    expect(() => decodeJson(new TextEncoder().encode('{'))).toThrow();
    expect(() => decodeJson(new Uint8Array([0xff]))).toThrow();
  });
});
