import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  type NatsServer,
  natsServerBinary,
  type PostgresServer,
  postgresBinaries,
  qdrantLauncher,
  type QdrantServer,
  startNats,
  startPostgres,
  startQdrant,
} from '@postmaster/testing';
import pg from 'pg';

export const SERVICES = ['tenants', 'ingestion', 'enrichment', 'embedding', 'retrieval'] as const;
export type Service = (typeof SERVICES)[number];
/** Every kind of process, each with a user of its own at NATS. */
export type Part = Service | 'gateway';

export interface Neighbours {
  postgres: PostgresServer;
  nats: NatsServer;
  qdrant: QdrantServer;
  /** For the migrations: owns what they make. */
  ownersUrl: string;
  /** For services. */
  rowsUrl: string;
  natsPassword(part: Part): string;
  stop(): Promise<void>;
}

const NATS_USERS = fileURLToPath(new URL('../../../deploy/nats/users.conf', import.meta.url));

/** What this machine lacks of what a cluster needs, in words; empty where it lacks nothing. */
export const missingPrograms = (): string[] => [
  ...(postgresBinaries() ? [] : ['Postgres (initdb, postgres; in Debian the package postgresql)']),
  ...(natsServerBinary() ? [] : ['nats-server (in Debian the package nats-server)']),
  ...(qdrantLauncher() ? [] : ["Qdrant (QDRANT_BINARY), or its stand-in (QDRANT_LOCAL, see CONTRIBUTING's tests)"]),
];

/** Postgres with the logins of deploy/postgres, NATS with the users of deploy/nats, and Qdrant, on free ports. */
export const startNeighbours = async (): Promise<Neighbours> => {
  const secret = randomBytes(12).toString('hex');
  const passwordOf = (part: Part): string => `${part}-${secret}`;
  const parts: Part[] = [...SERVICES, 'gateway'];
  const env = Object.fromEntries(parts.map((part) => [`NATS_PASSWORD_${part.toUpperCase()}`, passwordOf(part)]));
  const started: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(started.map((server) => server.stop())));
  const keep = async <S extends { stop(): Promise<void> }>(starting: Promise<S>): Promise<S> => {
    const server = await starting;
    started.push(server);
    return server;
  };
  const all = await Promise.allSettled([
    keep(startPostgres(postgresBinaries() ?? '', { settings: ['max_connections=200'] })),
    keep(startNats({ args: ['-c', NATS_USERS], env })),
    keep(startQdrant()),
  ]);
  const failed = all.find((one) => one.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const [postgres, nats, qdrant] = all.map((one) => one.status === 'fulfilled' && one.value) as [
    PostgresServer,
    NatsServer,
    QdrantServer,
  ]; // none was rejected
  await makeLogins(postgres.url);
  const as = (login: string): string =>
    postgres.url.replace('postgres@', `${login}@`).replace(/postgres$/, 'postmaster');
  return {
    ...{ postgres, nats, qdrant, stop },
    ownersUrl: as('postmaster_owner'),
    rowsUrl: as('postmaster_service'),
    natsPassword: passwordOf,
  };
};

/** As deploy/postgres/make-logins.sh does, for a server that asks for no passwords. */
const makeLogins = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of [
    'create role postmaster_app nologin',
    'create role postmaster_system nologin',
    'create role postmaster_owner login',
    'create role postmaster_service login',
    'grant postmaster_app, postmaster_system to postmaster_owner, postmaster_service',
    'create database postmaster owner postmaster_owner',
  ])
    await client.query(statement);
  await client.end();
};
