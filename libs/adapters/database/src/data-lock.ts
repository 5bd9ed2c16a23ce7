import { CodedError } from '@postmaster/contracts';
import { link, mkdir, realpath, rename, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { type LockAddress, lockAddress } from './lock-address.js';
import { type Holder, askHolder, listenAsHolder } from './lock-holder.js';

export interface DataLock {
  /** Tells those who ask from now on where the server of this folder answers. */
  announce(facts: { url: string }): void;
  release(): Promise<void>;
}

/**
 * Makes this process the only one on a data folder (made where it is missing), until it releases it or dies, however
 * it dies: the lock is a listening local socket. Throws DATA_IN_USE, which says who has it.
 * On Linux it holds within one network namespace: containers that share a folder but no network don't see each other.
 */
export const lockDataFolder = async (folder: string, platform = process.platform): Promise<DataLock> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const place = await realpath(folder);
  const address = lockAddress(place, platform);
  const self: Holder = { pid: process.pid };
  const server = await listen(address, () => self, place);
  return {
    announce: ({ url }) => void (self.url = url),
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

/** Who runs on this data folder at the moment, if anyone does. */
export const holderOf = async (folder: string, platform = process.platform): Promise<Holder | undefined> => {
  const place = await realpath(folder).catch(() => undefined);
  if (place === undefined) return undefined;
  const holder = await askHolder(lockAddress(place, platform).path);
  return typeof holder === 'string' ? undefined : holder;
};

const listen = async ({ path, leavesFile }: LockAddress, self: () => Holder, place: string): Promise<Server> => {
  try {
    return await listenAsHolder(path, self);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const holder = await askHolder(path);
    if (holder !== 'nobody' || !leavesFile) throw inUse(place, holder);
    await clearAway(path, place);
  }
  try {
    return await listenAsHolder(path, self);
  } catch (error) {
    throw isTaken(error) ? inUse(place, await askHolder(path)) : error;
  }
};

/** Removes the socket file of a process that is gone; set aside first, in case another starter was faster and its socket is alive. */
const clearAway = async (path: string, place: string): Promise<void> => {
  const aside = `${path}.${process.pid}`;
  const moved = await rename(path, aside).then(
    () => true,
    () => false, // cleared by another
  );
  if (!moved) return;
  const holder = await askHolder(aside);
  if (holder !== 'nobody') await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
  if (holder !== 'nobody') throw inUse(place, holder);
};

/** EACCES is how Windows says that another has the pipe. */
const isTaken = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  (error.code === 'EADDRINUSE' || error.code === 'EACCES');

const inUse = (place: string, holder: Holder | 'nobody' | 'silent'): CodedError => {
  const who =
    typeof holder === 'string' ? 'Another process' : `Process ${holder.pid}${holder.url ? ` (${holder.url})` : ''}`;
  return new CodedError('DATA_IN_USE', `${who} runs on the data folder ${place}.`);
};
