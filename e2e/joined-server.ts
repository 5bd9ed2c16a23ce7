import { randomBytes } from 'node:crypto';
import { clientOf } from './client.js';
import type { ServerProcess } from './server-process.js';

/** What shared-server.mjs and shared-cluster.mjs tell of the server that runs for all files. */
export interface SharedServer {
  /** Below it lies all that it and its neighbours store. */
  kept: string;
  /** What folders of documents may lie below. */
  files: string;
  /** The variables that it runs with. */
  env: Record<string, string>;
}

export interface SharedCluster extends SharedServer {
  url: string;
  postgresUrl: string;
  qdrantUrl: string;
}

const { E2E_CLUSTER, E2E_SHARED } = process.env;

/** With E2E_SERVER=cluster, the same tests go to the front door of the spread-out topology; undefined without. */
export const CLUSTER = E2E_CLUSTER ? (JSON.parse(E2E_CLUSTER) as SharedCluster) : undefined; // by shared-cluster.mjs

/** By shared-server.mjs: `starter` answers with the server's URL once it runs. */
const SHARED = E2E_SHARED ? (JSON.parse(E2E_SHARED) as SharedServer & { starter: string }) : undefined;

/** Where a file's folder lies, so that a shared server may read it. */
export const FILES = (CLUSTER ?? SHARED)?.files;

const shared = async (): Promise<SharedServer & { url: string }> => {
  if (CLUSTER) return CLUSTER;
  if (!SHARED) throw new Error('shared-server.mjs did not run.');
  const answer = await fetch(SHARED.starter);
  const said = await answer.text();
  if (!answer.ok) throw new Error(said);
  return { ...SHARED, url: said };
};

/**
 * The shared server as one file's, with a tenant of its own. Throws where the file needs other variables than it runs
 * with. `end` leaves it to the other files: what becomes of kills is for those that start their own.
 */
export const joinServer = async (folder: string, env: Record<string, string> = {}): Promise<ServerProcess> => {
  const { url, kept, env: runsWith } = await shared();
  for (const [name, value] of Object.entries(env))
    if (value !== runsWith[name] && !value.startsWith(`${runsWith[name]}/`))
      throw new Error(`The shared server runs with ${name}=${runsWith[name]}, and this file wants "${value}".`);
  const tenant = `e2e-${randomBytes(4).toString('hex')}`;
  const { createTenant } = await clientOf({ url }, runsWith.POSTMASTER_ADMIN_KEY ?? '').ask<{
    createTenant: { key: { secret: string } };
  }>(
    `mutation($id: ID!) { createTenant(input: { id: $id, name: "of one file" }) { ... on NewTenant { key { secret } } } }`,
    { id: tenant },
  );
  const nothing = Promise.resolve(null);
  return {
    ...{ url, folder, kept, tenant, key: createTenant.key.secret },
    output: () => '',
    exited: nothing,
    end: () => nothing,
  };
};
