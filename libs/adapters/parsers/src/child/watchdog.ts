import { workerData } from 'node:worker_threads';

const { memoryMb, parent } = workerData as { memoryMb: number; parent: number }; // set by main.ts
const EVERY_MS = 25;
/** What a process takes between two looks is to be within its cap too. */
const SHARE = 0.98;

setInterval(() => {
  const isOrphan = process.ppid !== parent;
  const isTooLarge = process.memoryUsage.rss() > memoryMb * SHARE * 1024 * 1024;
  // A signal ends the process whatever its other threads are at; the parent reads SIGKILL as "out of memory".
  if (isOrphan || isTooLarge) process.kill(process.pid, 'SIGKILL');
}, EVERY_MS);
