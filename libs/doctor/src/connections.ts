import { type Counts, DEFAULT_POOLS, DEFAULT_REPLICAS, type ProcessName } from './counts.js';
import { fail, ok, type Verdict, warn } from './finding.js';

export interface ConnectionFacts {
  /** max_connections of Postgres. */
  most: number;
  /** superuser_reserved_connections and reserved_connections. */
  reserved: number;
  /** Sessions at the moment, this one included. */
  open: number;
  /** As the operator said them; the rest is assumed. */
  replicas: Counts;
  pools: Counts;
  /** DATABASE_POOL_SIZE, where it is set: of those who are not in `pools`. */
  poolSize?: number;
}

/** For migrations and people, as docs/operations.md counts them. */
const SPARE = 50;
const CROWDED = 0.85;
const NAMES = Object.keys(DEFAULT_POOLS) as (keyof typeof DEFAULT_POOLS)[];

/** Pools × the most replicas, against what Postgres takes; in a rollout there is one replica more of each. */
export const connectionsVerdict = (facts: ConnectionFacts): Verdict => {
  const { most, reserved, open } = facts;
  const room = most - reserved;
  const rows = NAMES.map((name) => ({ name, pool: poolOf(facts, name), replicas: replicasOf(facts, name) }));
  const sum = (replicas: (of: number) => number): number =>
    rows.reduce((all, one) => all + one.pool * replicas(one.replicas), 0);
  const [needed, inRollout] = [sum((n) => n), sum((n) => (n === 0 ? 0 : n + 1))];
  const parts = rows.map(({ name, pool, replicas }) => `${name} ${replicas}×${pool}`).join(', ');
  const limit = `Postgres has room for ${room} (max_connections ${most} less ${reserved} reserved)`;
  const said = `At most ${needed} connections are opened (${parts}), ${inRollout} during a rollout; ${limit}; ${open} are open now.`;
  const assumed = NAMES.some((name) => facts.replicas[name] === undefined);
  const advice = `Raise max_connections to at least ${inRollout + SPARE}, or lower DATABASE_POOL_SIZE or the replicas.`;
  const next = assumed
    ? `${advice} Replicas that were not said are those of k8s/overlays/production: say yours with --replicas or POSTMASTER_REPLICAS.`
    : advice;
  if (needed > room) return assumed && sum((n) => Math.min(n, 1)) <= room ? warn(said, next) : fail(said, next);
  if (inRollout > Math.max(room - SPARE, 0))
    return warn(`${said} That leaves fewer than ${SPARE} for migrations and people.`, next);
  if (open > CROWDED * room)
    return warn(
      `${said} Nearly all are taken.`,
      'See who holds them: select usename, application_name, count(*) from pg_stat_activity group by 1, 2.',
    );
  return ok(said);
};

const poolOf = ({ pools, poolSize }: ConnectionFacts, name: keyof typeof DEFAULT_POOLS): number =>
  pools[name] ?? poolSize ?? DEFAULT_POOLS[name];

export const replicasOf = ({ replicas }: { replicas: Counts }, name: ProcessName): number =>
  replicas[name] ?? DEFAULT_REPLICAS[name];
