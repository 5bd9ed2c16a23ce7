import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@postmaster/testing';
import { type Balancer, startBalancer } from './balancer.js';
import { makeTenant } from './make-tenant.js';
import { type Neighbours, type Part, type Service, SERVICES, startNeighbours } from './neighbours.js';
import { type Replica, replicaOf } from './replica.js';

export interface ClusterOptions {
  /** An empty folder, for what processes keep for themselves. */
  folder: string;
  /** Replicas of each service, two unless told; the gateway is one. */
  replicas?: Partial<Record<Service, number>>;
  /** Further variables of every process. */
  env?: Readonly<Record<string, string>>;
  /** Further variables of the processes of one service. */
  envOf?: Partial<Record<Part, Readonly<Record<string, string>>>>;
  /** The tenant that is made, `default` unless told. */
  tenant?: string;
  onProgress?: (what: string) => void;
}

export interface Cluster {
  /** Of the gateway. */
  readonly url: string;
  /** Of the tenant that was made at the start. */
  readonly key: string;
  readonly operatorKey: string;
  readonly neighbours: Neighbours;
  readonly gateway: Replica;
  readonly replicas: readonly Replica[];
  /** Addresses of services, each for all of its replicas. */
  readonly addresses: Readonly<Record<Service, string>>;
  /** The secret that identities are sealed with, for whoever asks a service directly. */
  readonly identitySecret: string;
  /** Takes no new connections and ends; with SIGTERM gracefully. Resolves with the exit code. */
  end(replica: Replica, signal?: NodeJS.Signals): Promise<number | null>;
  /** Starts one that ended. */
  start(replica: Replica): Promise<void>;
  /** One more replica of a service, running. Throws where it refuses to run, with what it said. */
  add(service: Service, env?: Readonly<Record<string, string>>): Promise<Replica>;
  /** Ends one gracefully, for good. */
  remove(replica: Replica): Promise<void>;
  /** Ends all: the gateway, services, then what they stood on. */
  stop(): Promise<void>;
}

const run = promisify(execFile);
const APPS = fileURLToPath(new URL('../../../apps/', import.meta.url));
const mainOf = (part: Part | 'migrate'): string => join(APPS, part, 'dist/main.js');

/**
 * Everything as separate processes on 127.0.0.1 and free ports: Postgres, nats-server, Qdrant or its stand-in, the
 * services' replicas behind an address each, and the gateway. Built code only. Ends what it started where it fails.
 */
export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { folder, env = {}, envOf = {}, onProgress = () => {} } = options;
  const identitySecret = randomBytes(24).toString('hex');
  const operatorKey = env.POSTMASTER_ADMIN_KEY ?? `operator-${randomBytes(18).toString('hex')}`;
  const secretsKey = randomBytes(24).toString('hex');
  const replicas: Replica[] = [];
  const counts = new Map<Service, number>();
  const balancers = new Map<Service, Balancer>();
  let neighbours: Neighbours | undefined;
  let gateway: Replica | undefined;

  const balance = (service: string): void => {
    const there = replicas.flatMap((one) => (one.service === service ? (one.url() ?? []) : []));
    balancers.get(service as Service)?.use(there);
  };
  const end = (replica: Replica, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> => {
    const ended = replica.end(signal); // from now on it has no address
    balance(replica.service);
    return ended;
  };
  const stop = async (): Promise<void> => {
    await gateway?.end('SIGTERM');
    await Promise.all(replicas.map((replica) => end(replica, 'SIGTERM')));
    await Promise.all([...balancers.values()].map((balancer) => balancer.close()));
    await neighbours?.stop();
  };

  try {
    onProgress('Postgres, NATS and Qdrant start');
    neighbours = await startNeighbours();
    const { ownersUrl, rowsUrl, nats, qdrant, natsPassword } = neighbours;
    onProgress('the database is migrated');
    await run(process.execPath, [mainOf('migrate')], {
      env: { PATH: process.env.PATH, MIGRATE_DATABASE_URL: ownersUrl },
    });
    for (const service of SERVICES) balancers.set(service, await startBalancer());
    const environmentOf = (part: Part): Record<string, string> => ({
      POSTMASTER_IDENTITY_SECRET: identitySecret,
      NATS_URL: nats.url,
      NATS_USER: part,
      NATS_PASSWORD: natsPassword(part),
      ...(part !== 'gateway' ? { DATABASE_URL: rowsUrl, DATABASE_POOL_SIZE: '8' } : {}),
      ...(part === 'embedding' || part === 'retrieval' ? { QDRANT_URL: qdrant.url } : {}),
      ...(part === 'tenants' ? { POSTMASTER_SECRETS_KEY: secretsKey } : {}),
      ...(part === 'ingestion' ? { BLOBS_URL: 'nats:postmaster-blobs' } : {}),
      ...env,
      ...envOf[part],
    });
    const add = async (service: Service, more: Readonly<Record<string, string>> = {}): Promise<Replica> => {
      const number = (counts.get(service) ?? 0) + 1;
      counts.set(service, number);
      const replica = replicaOf({
        ...{ service, number, main: mainOf(service), env: { ...environmentOf(service), ...more } },
        folder: join(folder, `${service}-${number}`),
      });
      await replica.start();
      replicas.push(replica);
      balance(service);
      return replica;
    };
    onProgress('services start');
    await Promise.all(
      SERVICES.flatMap((service) => Array.from({ length: options.replicas?.[service] ?? 2 }, () => add(service))),
    );
    const addresses = Object.fromEntries(
      [...balancers].map(([service, balancer]) => [service, balancer.url]),
    ) as Record<Service, string>; // one was made for each
    onProgress('the gateway starts');
    const front = replicaOf({
      ...{ service: 'gateway', number: 1, main: mainOf('gateway'), folder: join(folder, 'gateway') },
      env: {
        ...environmentOf('gateway'),
        PORT: String(await freePort()), // the same after a restart
        POSTMASTER_ADMIN_KEY: operatorKey,
        ...Object.fromEntries(SERVICES.map((service) => [`${service.toUpperCase()}_URL`, addresses[service]])),
      },
    });
    gateway = front;
    await front.start();
    const url = front.url() ?? '';
    const key = await makeTenant(url, operatorKey, options.tenant ?? 'default');
    return {
      ...{ url, key, operatorKey, neighbours, gateway, replicas, addresses, identitySecret, end, add, stop },
      start: async (replica) => {
        await replica.start();
        balance(replica.service);
      },
      remove: async (replica) => {
        await end(replica, 'SIGTERM');
        replicas.splice(replicas.indexOf(replica), 1);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
