import { describe, expect, it } from 'vitest';
import { numbersIn } from './numbers.js';

const same = (one: string, other: string, language: string | null = null): boolean => {
  const [first, second] = [numbersIn(one, language), numbersIn(other, language).flat()];
  return first.length > 0 && first.every((readings) => readings.some((reading) => second.includes(reading)));
};

describe('numbersIn', () => {
  it.each([
    ['1,000', '1.000'],
    ['1 000 000', '1,000,000'],
    ['3.50', '3,5'],
    ['1.234,50', '1,234.5'],
    ['6½', '6.5'],
    ['2015', 'the year 2015'],
    ['24', '24-10'],
    ['007', '7'],
    ['40%', '40 percent'],
  ])('reads %s as %s', (one, other) => expect(same(one, other)).toBe(true));

  it.each([
    ['3.5', '35'],
    ['1943', '1934'],
    ['100', '1000'],
    ['0.5', '5'],
    ['20', '2015'],
  ])('tells %s from %s', (one, other) => expect(same(one, other)).toBe(false));

  it('reads small numbers written out in the language of the text', () => {
    expect(same('seven', '7', 'en')).toBe(true);
    expect(same('to hold', '2 hold', 'da')).toBe(true);
    expect(numbersIn('I want to go', 'en')).toEqual([]);
    expect(numbersIn('syv', null)).toEqual([]);
  });
});
