import { describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import { GraphQLError } from 'graphql';
import { asGraphQLError, codedErrorOf, shapeError } from './shape-error.js';

describe('an error on its way out', () => {
  it('keeps a known code, its next step and its place, and gains the request id', () => {
    const thrown = new GraphQLError('x', { path: ['search'], originalError: new CodedError('QUERY_EMPTY', 'Empty.') });
    const { message, path, extensions } = asGraphQLError(thrown);
    expect(shapeError({ message, path, extensions }, 'r1')).toEqual({
      message: 'Empty.',
      path: ['search'],
      extensions: { code: 'QUERY_EMPTY', next: expect.any(String), requestId: 'r1' },
    });
  });

  it('loses stack traces, services’ names and whatever else a subgraph adds', () => {
    const remote = {
      message: 'Gone.',
      extensions: { code: 'NOT_FOUND', serviceName: 'ingestion', stacktrace: ['at x'] },
    };
    expect(asGraphQLError(remote).extensions).toEqual({ code: 'NOT_FOUND', next: expect.any(String) });
  });

  it('is masked where its code is not of the list', () => {
    const remote = { message: 'connect to 10.0.0.7 failed', extensions: { code: 'ECONNREFUSED' } };
    expect(asGraphQLError(remote)).toMatchObject({
      message: 'Something unexpected went wrong.',
      extensions: { code: 'INTERNAL' },
    });
  });

  it('is a coded error again for REST', () => {
    const error = codedErrorOf({
      message: 'Late.',
      extensions: { code: 'TIMED_OUT', next: 'Ask for less.', retryAfter: 3 },
    });
    expect(error).toMatchObject({
      code: 'TIMED_OUT',
      status: 504,
      message: 'Late.',
      next: 'Ask for less.',
      retryAfter: 3,
    });
  });
});
