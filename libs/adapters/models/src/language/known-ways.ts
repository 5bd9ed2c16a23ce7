import { setWithin } from '@postmaster/contracts';
import type { ChatServer } from './chat-server.js';

/** How long it is believed which ways of asking a server does not know: it may be replaced by one that does. */
const BELIEVED_MS = 3_600_000;
const MOST_SERVERS = 1_000;
const known = new Map<string, { from: number; at: number }>();

/** What this process has learnt of how a model of a server can be held to a form; for all tasks and tenants. */
export const knownWays = ({ id, address }: Pick<ChatServer, 'id' | 'address'>, now: () => number = Date.now) => {
  const key = `${id} ${address}`;
  return {
    /** The first of its ways that is worth trying. */
    first: (): number => {
      const found = known.get(key);
      return found && now() - found.at < BELIEVED_MS ? found.from : 0;
    },
    /** This one worked, and those before it did not. */
    worked: (way: number): void => {
      if (known.get(key)?.from === way) return; // it is believed no longer than from when it was found out
      setWithin(known, MOST_SERVERS, key, { from: way, at: now() });
    },
  };
};
