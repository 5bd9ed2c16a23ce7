import { describe, expect, it } from 'vitest';
import { parseValue } from 'graphql';
import { DateTimeScalar, JsonScalar } from './index.js';

describe('DateTime', () => {
  it('leaves as ISO 8601 in UTC, from a Date or a text', () => {
    expect(DateTimeScalar.serialize(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(DateTimeScalar.serialize('2026-11-21T10:30:00+01:00')).toBe('2026-11-21T09:30:00.000Z');
  });

  it('comes in with its zone only, and only where there is such a moment', () => {
    expect(DateTimeScalar.parseValue('2026-11-21T09:30Z')).toBe('2026-11-21T09:30:00.000Z');
    expect(DateTimeScalar.parseLiteral(parseValue('"2026-11-21T09:30:00.5Z"'))).toBe('2026-11-21T09:30:00.500Z');
    for (const wrong of ['2026-11-21', '2026-11-21T09:30:00', '2026-13-01T00:00Z', 'soon', 5, null])
      expect(() => DateTimeScalar.parseValue(wrong)).toThrow('ISO 8601');
  });
});

describe('JSON', () => {
  it('passes any value through, also one that is written in the query', () => {
    const value = { a: [1, 'two', null, true], b: {} };
    expect(JsonScalar.serialize(value)).toBe(value);
    expect(JsonScalar.parseLiteral(parseValue('{a: [1, "two", null, true], b: {}}'))).toEqual(value);
  });
});
