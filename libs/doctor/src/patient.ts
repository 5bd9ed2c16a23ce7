import { join, resolve } from 'node:path';
import { type Config, readConfig, readEnvironment, type VariableName, VARIABLES } from '@postmaster/service';
import { type Counts, parseCounts } from './counts.js';

export interface ExamineOptions {
  /** As processes are given it; `.env` in `cwd` adds to it. */
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** The most replicas of each service; POSTMASTER_REPLICAS, then those of k8s/overlays/production, unless told. */
  replicas?: Counts;
  /** Connections of each replica; POSTMASTER_POOLS, DATABASE_POOL_SIZE, then those of k8s, unless told. */
  pools?: Counts;
  /** Whether the language model is tried, which may cost money; true unless told. */
  model?: boolean;
  /** Whether a few bytes are stored, read and removed again; false unless told. */
  write?: boolean;
  /** The data folder of an embedded server that noted itself, where POSTMASTER_DATA names none. */
  notedData?: string;
  /** Of a check of one neighbour, 5,000 ms unless told; models have more. */
  limitMs?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** What is examined: the configuration as far as it can be read, and how. */
export interface Patient {
  environment: Readonly<Record<string, string>>;
  /** Variables that are set wrongly are as though they were not set; `wrong` has them. */
  config: Config;
  wrong: ReadonlyMap<string, string>;
  /** All in one process, or services apart. */
  mode: 'embedded' | 'spread';
  /** The data folder's path. */
  data: string;
  replicas: Counts;
  pools: Counts;
  model: boolean;
  write: boolean;
  limitMs: number;
  now: () => number;
}

const NAMES = Object.keys(VARIABLES) as VariableName[];
/** What only services apart are told. */
const OF_SPREAD = [
  ...(['DATABASE_URL', 'NATS_URL', 'QDRANT_URL', 'MIGRATE_DATABASE_URL'] as const),
  ...(['TENANTS_URL', 'INGESTION_URL', 'ENRICHMENT_URL', 'EMBEDDING_URL', 'RETRIEVAL_URL'] as const),
] satisfies VariableName[];

/** Never throws for what is in the environment: a check says what is wrong with it. */
export const readPatient = (options: ExamineOptions): Patient => {
  const { env, cwd, model = true, write = false, limitMs = 5_000, now = Date.now } = options;
  const environment = readEnvironment(join(cwd, '.env'), { ...env });
  const wrong = new Map<string, string>(NAMES.flatMap((name) => complaintOf(name, environment)));
  const countsOf = (name: 'POSTMASTER_REPLICAS' | 'POSTMASTER_POOLS'): Counts => {
    try {
      return parseCounts(name, environment[name] ?? '');
    } catch (error) {
      wrong.set(name, messageOf(error));
      return {};
    }
  };
  const counts = { replicas: countsOf('POSTMASTER_REPLICAS'), pools: countsOf('POSTMASTER_POOLS') };
  const readable = Object.fromEntries(Object.entries(environment).filter(([name]) => !wrong.has(name)));
  const config = readConfig(NAMES, readable);
  const folder = environment.POSTMASTER_DATA ?? options.notedData ?? config.POSTMASTER_DATA;
  return {
    ...{ environment, config, wrong, model, write, limitMs, now },
    mode: OF_SPREAD.some((name) => environment[name] !== undefined) ? 'spread' : 'embedded',
    data: resolve(cwd, folder),
    replicas: { ...counts.replicas, ...options.replicas },
    pools: { ...counts.pools, ...options.pools },
  };
};

const complaintOf = (name: VariableName, environment: Record<string, string>): [VariableName, string][] => {
  try {
    readConfig([name], environment);
    return [];
  } catch (error) {
    return [[name, messageOf(error)]];
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Said of a dependency whose address can't be read, or is not set. */
export const notSet = ({ wrong }: Patient, name: string, otherwise = `${name} is not set.`): string =>
  wrong.has(name) ? `${name} can not be read, so it was not tried.` : otherwise;
