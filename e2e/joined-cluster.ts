import { randomBytes } from 'node:crypto';
import { clientOf } from './client.js';
import type { ServerProcess } from './server-process.js';

/** What shared-cluster.mjs tells of the cluster that runs for all files. */
export interface SharedCluster {
  url: string;
  /** Below it lies all that its processes and their neighbours store. */
  kept: string;
  /** What folders of documents may lie below. */
  files: string;
  postgresUrl: string;
  qdrantUrl: string;
  /** The variables that it runs with. */
  env: Record<string, string>;
}

/** With E2E_SERVER=cluster, the same tests go to the front door of the spread-out topology; undefined without. */
export const CLUSTER = process.env.E2E_CLUSTER
  ? (JSON.parse(process.env.E2E_CLUSTER) as SharedCluster) // written by shared-cluster.mjs
  : undefined;

/**
 * The cluster as one file's server, with a tenant of its own. Throws where the file needs other variables than it runs
 * with. `end` leaves it to the other files: what becomes of kills there is for `npm run chaos`.
 */
export const joinCluster = async (
  { url, kept, env: runsWith }: SharedCluster,
  folder: string,
  env: Record<string, string>,
): Promise<ServerProcess> => {
  for (const [name, value] of Object.entries(env))
    if (value !== runsWith[name] && !value.startsWith(`${runsWith[name]}/`))
      throw new Error(`The cluster runs with ${name}=${runsWith[name]}, and this file wants "${value}".`);
  const tenant = `e2e-${randomBytes(4).toString('hex')}`;
  const { createTenant } = await clientOf({ url }, runsWith.POSTMASTER_ADMIN_KEY ?? '').ask<{
    createTenant: { key: { secret: string } };
  }>(
    `mutation($id: ID!) { createTenant(input: { id: $id, name: "of one file" }) { ... on NewTenant { key { secret } } } }`,
    {
      id: tenant,
    },
  );
  const nothing = Promise.resolve(null);
  return {
    ...{ url, folder, kept, tenant, key: createTenant.key.secret },
    output: () => '',
    exited: nothing,
    end: () => nothing,
  };
};
