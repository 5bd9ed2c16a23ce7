import { describe, expect, it } from 'vitest';
import { BadRequestException, NotFoundException } from '@nestjs/common';
import { CODES, CodedError } from '@postmaster/contracts';
import { codedOf, problemOf } from './problem.js';

describe('a problem', () => {
  it('carries status, code, cause, next step and request id', () => {
    const error = new CodedError('FILTER_INVALID', 'There is no field "colour".', { field: 'filter.colour' });
    expect(problemOf(error, 'r1')).toEqual({
      type: 'urn:postmaster:problem:FILTER_INVALID',
      title: CODES.FILTER_INVALID.meaning,
      status: 400,
      detail: 'There is no field "colour".',
      code: 'FILTER_INVALID',
      next: CODES.FILTER_INVALID.next,
      requestId: 'r1',
      field: 'filter.colour',
    });
  });

  it('is made of what frameworks throw', () => {
    expect(codedOf(new NotFoundException()).code).toBe('NOT_FOUND');
    expect(codedOf(new BadRequestException('no')).code).toBe('INPUT_INVALID');
    expect(codedOf(Object.assign(new Error('big'), { status: 413 })).code).toBe('TOO_LARGE');
  });

  it('tells nothing of what was not expected', () => {
    const masked = codedOf(new Error('password is hunter2'));
    expect(masked.code).toBe('INTERNAL');
    expect(JSON.stringify(problemOf(masked, 'r1'))).not.toContain('hunter2');
  });
});
