import { describe, expect, it } from 'vitest';
import { attachmentNamed, rangeOf } from './file-headers.js';

describe('a file’s headers', () => {
  it('carry a name that no header can break out of', () => {
    expect(attachmentNamed('a"\r\nx: y\\.txt')).toBe(
      `attachment; filename="a___x: y_.txt"; filename*=UTF-8''a%22%0D%0Ax%3A%20y%5C.txt`,
    );
  });

  it('give one range, cut to the file', () => {
    expect(rangeOf('bytes=0-99', 10)).toEqual({ start: 0, end: 9 });
    expect(rangeOf('bytes=-99', 10)).toEqual({ start: 0, end: 9 });
    expect(rangeOf('bytes=10-', 10)).toBe('unsatisfiable');
    expect(rangeOf('bytes=0-0', 0)).toBe('unsatisfiable');
    for (const whole of [undefined, '', 'bytes=-', 'bytes=5-2', 'bytes=0-1,3-4', 'items=0-1'])
      expect(rangeOf(whole, 10)).toBeUndefined();
  });
});
