import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a holder listens, and whether what it listens on outlives it and has to be cleared away. */
export interface LockAddress {
  path: string;
  leavesFile: boolean;
}

const LONGEST_SOCKET_PATH = 100; // 104 bytes on macOS, with the closing zero

/** The listening place of a data folder; `folder` is its real path, so that every way of naming it leads here. */
export const lockAddress = (folder: string, platform: NodeJS.Platform = process.platform): LockAddress => {
  const name = `postmaster-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  if (platform === 'linux') return { path: `\0${name}`, leavesFile: false }; // abstract: known to the kernel only
  if (platform === 'win32') return { path: `\\\\.\\pipe\\${name}`, leavesFile: false };
  const inFolder = join(folder, 'lock.sock');
  const path = Buffer.byteLength(inFolder) <= LONGEST_SOCKET_PATH ? inFolder : join(tmpdir(), `${name}.sock`);
  return { path, leavesFile: true };
};
