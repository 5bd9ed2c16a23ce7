import { describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import { isUnreachable } from './unreachable.js';

const coded = (code: string): Error => Object.assign(new Error('of the driver'), { code });

describe('what is out of reach', () => {
  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '08006', '08P01', '53300', '57P01', '57P03', '25006', '40P01'].map(
      coded,
    ),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Client has encountered a connection error and is not queryable'),
    new CodedError('SERVICE_UNAVAILABLE', 'Not there.'),
    new AggregateError([coded('ECONNREFUSED')], 'all addresses'),
    new Error('wrapped', { cause: coded('57P01') }),
  ])('is told from what the event is to blame for: %s', (error) => {
    expect(isUnreachable(error)).toBe(true);
  });

  it.each([
    new Error('can not'),
    ...['23505', '22P02', '42P01', '57014'].map(coded),
    new CodedError('NOT_FOUND', 'No such document.'),
    'a string',
    undefined,
  ])('is not what the event, or the code, is to blame for: %s', (error) => {
    expect(isUnreachable(error)).toBe(false);
  });
});
