import { expect, it } from 'vitest';
import { DOCUMENT_ENDINGS } from '@postmaster/contracts';
import { FORMATS } from './formats.js';

it('every ending that folders are searched for is one of a format that is read', () => {
  const read = new Set(FORMATS.flatMap(({ extensions }) => extensions));
  expect(DOCUMENT_ENDINGS.filter((ending) => !read.has(ending))).toEqual([]);
});
