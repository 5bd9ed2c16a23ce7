import { fileURLToPath } from 'node:url';
import { type Identity, identitySeal, TenantId } from '@postmaster/contracts';
import type { GraphqlAnswer } from './client.js';
import type { ServingProcess } from '@postmaster/testing';
import { startProcess } from './server-process.js';

export const SECRET = 'the secret that the services of this test share';
export const OPERATORS_KEY = 'the-operators-key-of-this-test';

export interface ServiceProcess extends ServingProcess {
  /** Asks its GraphQL, with an identity as the gateway signs it, or with none. */
  ask<T>(query: string, variables?: object, identity?: Identity | null): Promise<GraphqlAnswer<T>>;
  health(what: 'live' | 'ready'): Promise<number>;
}

const seal = identitySeal(new TextEncoder().encode(SECRET));
export const CALLER: Identity = { tenant: TenantId.parse('acme'), subject: 'k1', scopes: ['read', 'write', 'admin'] };
export const OPERATOR: Identity = { tenant: TenantId.parse('gateway'), subject: 'operator', scopes: ['operator'] };

/** One of the services as a process of its own, with its data in `folder`. */
export const startServiceProcess = async (
  name: string,
  folder: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> => {
  const main = fileURLToPath(new URL(`../apps/${name}/dist/main.js`, import.meta.url));
  const running = await startProcess(main, folder, {
    ...{ POSTMASTER_IDENTITY_SECRET: SECRET, ENCODER_THREADS: '1' },
    ...env,
  });
  const { url } = running;
  return {
    ...running,
    ask: async <T>(query: string, variables: object = {}, identity: Identity | null = CALLER) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(identity && { authorization: `Bearer ${await seal.sign(identity)}` }),
        },
        body: JSON.stringify({ query, variables }),
      });
      return (await response.json()) as GraphqlAnswer<T>;
    },
    health: async (what) => (await fetch(`${url}/health/${what}`)).status,
  };
};
