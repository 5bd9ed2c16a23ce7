import { setTimeout as sleep } from 'node:timers/promises';
import type { Left } from './client/deletions.js';
import type { Session } from './session.js';

const LOOK_EVERY_MS = 500;
/** Erasing takes seconds; what takes longer waits for something, and the receipt tells for what. */
const LOOK_FOR_MS = 30_000;

/** Looks at what is left until nothing is, or for half a minute; a command that is stopped leaves it to the server. */
export const followDeletion = async <L extends Left>({ surroundings }: Session, look: () => Promise<L>): Promise<L> => {
  const { signal, now } = surroundings;
  const end = now() + LOOK_FOR_MS;
  let left = await look();
  while (!left.complete && now() < end) {
    await sleep(LOOK_EVERY_MS, undefined, { signal });
    left = await look();
  }
  return left;
};
