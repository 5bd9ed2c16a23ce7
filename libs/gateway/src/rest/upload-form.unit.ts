import { describe, expect, it } from 'vitest';
import { CHUNKINGS } from '@postmaster/contracts';
import { parseInput } from './parse-input.js';
import { UploadForm } from './shapes.js';

describe('the form of an upload', () => {
  it.each(CHUNKINGS)('may ask for chunking "%s"', (chunking) => {
    expect(parseInput(UploadForm, { chunking })).toEqual({ chunking });
  });

  it('refuses another chunking with those there are', () => {
    expect(() => parseInput(UploadForm, { chunking: 'pages' })).toThrow(
      expect.objectContaining({
        code: 'INPUT_INVALID',
        field: 'chunking',
        message: `"chunking": should be one of ${CHUNKINGS.join(', ')}`,
      }),
    );
  });
});
