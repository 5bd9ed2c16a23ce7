import { CodedError } from '@postmaster/contracts';

/** What runs apart; the first five open connections to Postgres. */
export const PROCESSES = [
  'tenants',
  'ingestion',
  'enrichment',
  'embedding',
  'embedding-query',
  'retrieval',
  'gateway',
] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** A number for each of some processes. */
export type Counts = Partial<Record<ProcessName, number>>;

/** The most replicas of each in k8s/overlays/production. */
export const DEFAULT_REPLICAS = {
  tenants: 2,
  ingestion: 6,
  enrichment: 8,
  embedding: 6,
  'embedding-query': 10,
  retrieval: 10,
  gateway: 10,
} as const satisfies Counts;

/** Connections that each replica may open, in k8s and docker-compose.yml; who is not here opens none. */
export const DEFAULT_POOLS = {
  tenants: 5,
  ingestion: 10,
  enrichment: 10,
  embedding: 10,
  'embedding-query': 2,
} as const satisfies Counts;

/** "tenants=2,ingestion=6", as `name` was given it. Throws CONFIG_INVALID. */
export const parseCounts = (name: string, text: string): Counts => {
  const counts: Counts = {};
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [process = '', number = ''] = part.split('=').map((one) => one.trim());
    if (!isProcess(process)) throw wrong(name, `names "${process}", which is none of ${PROCESSES.join(', ')}`);
    if (!/^\d{1,4}$/.test(number)) throw wrong(name, `has "${part.trim()}", which is no count`);
    counts[process] = Number(number);
  }
  return counts;
};

const isProcess = (name: string): name is ProcessName => PROCESSES.some((one) => one === name);

const wrong = (name: string, why: string): CodedError =>
  new CodedError('CONFIG_INVALID', `${name} ${why}.`, { next: `Write it as ${name} tenants=2,ingestion=6.` });
