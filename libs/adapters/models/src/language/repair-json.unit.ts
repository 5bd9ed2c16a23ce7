import { describe, expect, it } from 'vitest';
import { jsonObjects } from './repair-json.js';

const read = (text: string): unknown[] => [...jsonObjects(text)];

describe('jsonObjects', () => {
  it.each<[string, string, unknown[]]>([
    ['whole', '{"a":[1,{"b":"}"}]}', [{ a: [1, { b: '}' }] }]],
    ['between prose', 'So {not this}: {"a":1}, and {"b":2}.', [{ a: 1 }, { b: 2 }]],
    ['with commas too many', '{"a":[1,2,],"b":3,}', [{ a: [1, 2], b: 3 }]],
    ['with bare line breaks', '{"a":"one\ntwo"}', [{ a: 'one\ntwo' }]],
    ['with quotes that are escaped', '{"a":"say \\"{\\""', [{ a: 'say "{"' }]],
    ['without its last brackets', '{"a":["x","y"', [{ a: ['x', 'y'] }]],
    ['without a bracket in between', '{"a":["x","b":1}', []],
    ['closed in another order', '{"a":["x"}', [{ a: ['x'] }]],
    ['that breaks off in a text', '{"a":"x","b":"half of', [{ a: 'x' }]],
    ['that breaks off in a list', '{"a":["x","half', [{ a: ['x'] }]],
    ['that breaks off in a number', '{"a":1,"b":12', [{ a: 1 }]],
    ['that breaks off in a name', '{"a":1,"b', [{ a: 1 }]],
    ['that has no value yet', '{"a":1,"b":', [{ a: 1 }]],
    ['that is none', 'no object', []],
  ])('reads JSON %s', (_, text, expected) => expect(read(text)).toEqual(expected));

  it('looks at no more than a few places, so that brackets without end cost little', () => {
    expect(read('{x'.repeat(100_000)).length).toBeLessThan(21);
  });
});
