import { describe, expect, it } from 'vitest';
import { lockAddress } from './lock-address.js';

describe('the address of a lock', () => {
  it('is an abstract socket on Linux and a named pipe on Windows, which leave nothing behind', () => {
    expect(lockAddress('/data', 'linux')).toMatchObject({
      path: expect.stringMatching(/^\0postmaster-/),
      leavesFile: false,
    });
    expect(lockAddress('C:\\data', 'win32')).toMatchObject({ leavesFile: false });
  });

  it('is a socket file elsewhere, outside a folder whose path is too long for one', () => {
    expect(lockAddress('/data', 'darwin')).toEqual({ path: '/data/lock.sock', leavesFile: true });
    const long = lockAddress(`/${'d'.repeat(120)}`, 'darwin');
    expect(long.path).not.toContain('ddd');
    expect(long.leavesFile).toBe(true);
  });

  it('differs from folder to folder', () => {
    expect(lockAddress('/a', 'linux')).not.toEqual(lockAddress('/b', 'linux'));
  });
});
