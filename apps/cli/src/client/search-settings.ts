import { type Leg, LEGS } from '@postmaster/contracts';
import { z } from 'zod';
import { type Client, notRefused, Refused } from './client.js';

const Tenant = z.object({ id: z.string(), name: z.string() });
export type Tenant = z.infer<typeof Tenant>;

/** The tenant whose key this is. */
export const readTenant = async (client: Client): Promise<Tenant> =>
  (await client.query(z.object({ tenant: Tenant }), 'query { tenant { id name } }')).data.tenant;

/** Has these weights count for the tenant's questions that name none, fused as they were fitted. May be sent twice. */
export const storeWeights = async (client: Client, weights: Readonly<Record<Leg, number>>): Promise<void> => {
  const text = `mutation ($input: UpdateTenantInput!) {
    stored: updateTenant(input: $input) { __typename ... on Refused { code message next } }
  }`;
  const Result = z.object({ stored: z.union([z.object({ __typename: z.literal('Tenant') }), Refused]) });
  const named = Object.fromEntries(LEGS.map((leg) => [graphName(leg), weights[leg]]));
  const input = { search: { fusion: 'MIN_MAX', weights: named } };
  notRefused((await client.query(Result, text, { input })).data.stored);
};

const graphName = (leg: Leg): string => leg.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
