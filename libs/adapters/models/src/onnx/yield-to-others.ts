import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

const BACKGROUND = 5; // niceness; measured: with 0 a query beside two busy threads takes twice as long, with 10 as long as with 5

/** Lets every other thread go before the calling one where they compete for a core. Linux only; elsewhere nothing happens. */
export const yieldToOthers = (): void => {
  if (process.platform !== 'linux') return;
  try {
    // Linux gives priorities to threads, by their ids, and names the present one here: "<process>/task/<thread>"
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), BACKGROUND);
  } catch {
    // a sandbox without /proc, or one that forbids it: the thread works as it is
  }
};
