import { sql } from 'kysely';
import { jobsBell, processBell } from './bell.js';
import type { Database } from './database.js';

/** Work that is asked for in this process rings, and what comes due later rings then: this is for what others ask for. */
const LOOK_MS = 1_000;

interface Look {
  /** The workers of each kind. */
  kinds: Map<string, number>;
  timer: NodeJS.Timeout | undefined;
}

const looks = new WeakMap<object, Look>();

/**
 * Rings for a kind whenever jobs of it are due, until it is called off: those whose lease has lapsed are claimable again
 * from then on. One look serves all the kinds of a database, however many workers wait.
 */
export const lookForJobs = (db: Database<unknown>, kind: string, onError: (error: unknown) => void): (() => void) => {
  const look: Look = looks.get(db) ?? { kinds: new Map(), timer: undefined };
  looks.set(db, look);
  look.kinds.set(kind, (look.kinds.get(kind) ?? 0) + 1);
  const round = async (): Promise<void> => {
    try {
      for (const due of await dueKinds(db, [...look.kinds.keys()])) processBell.ring(jobsBell(due));
    } catch (error) {
      if (look.kinds.size > 0) onError(error);
    }
    look.timer = look.kinds.size > 0 ? setTimeout(() => void round(), LOOK_MS) : undefined;
  };
  look.timer ??= setTimeout(() => void round(), LOOK_MS);
  return () => {
    const left = (look.kinds.get(kind) ?? 1) - 1;
    if (left > 0) look.kinds.set(kind, left);
    else look.kinds.delete(kind);
    if (look.kinds.size > 0) return;
    clearTimeout(look.timer);
    looks.delete(db);
  };
};

const dueKinds = async (db: Database<unknown>, kinds: readonly string[]): Promise<string[]> => {
  const { rows } = await db.oneAsSystem(sql<{ kind: string }>`
    with lapsed as (
      update jobs set state = 'ready', leased_until = null
      where kind = any(${kinds}) and state = 'leased' and leased_until < now()
      returning kind
    )
    select kind from lapsed
    union
    select wanted.kind from unnest(${kinds}::text[]) as wanted(kind)
    where exists (select from jobs where jobs.kind = wanted.kind and state = 'ready' and run_at <= now())`);
  return rows.map(({ kind }) => kind);
};
