import { graphName, type GraphName, type Scope } from '@postmaster/contracts';
import type { ProfileChange, ProfileShown } from '../model-profile.js';
import type { Dimension } from '../rows/costs.js';
import { graphSettings } from './search-settings.js';
import type { Key, NewKey, Tenant } from '../tenant.js';

export type GraphScope = GraphName<Scope>;
export type GraphLongParagraphs = GraphName<Tenant['longParagraphs']>;
export type GraphDimension = GraphName<Dimension>;

/** Things of this service in the words of its SDL: types named for the unions, enums in capitals. */
export const graphTenant = (tenant: Tenant) => ({
  __typename: 'Tenant' as const,
  ...tenant,
  longParagraphs: graphName(tenant.longParagraphs),
  chunking: graphName(tenant.chunking),
  entitiesBy: graphName(tenant.entitiesBy),
  search: graphSettings(tenant.search),
});

export const graphKey = (key: Key) => ({
  __typename: 'Key' as const,
  ...key,
  scopes: key.scopes.map(graphName),
});

export const graphNewKey = ({ key, secret }: NewKey) => ({
  __typename: 'NewKey' as const,
  key: graphKey(key),
  secret,
});

export const graphProfile = ({ version, profile: { vectorDb, ...models }, checks }: ProfileShown) => ({
  __typename: 'ModelProfile' as const,
  version,
  vectorDb: vectorDb && { ...vectorDb, type: vectorDb.type.toUpperCase() },
  ...models,
  checks,
});

export interface GraphProfileInput {
  vectorDb?: { type: string; url?: string | null; apiKey?: string | null } | null;
  encodingModel?: GraphModelInput | null;
  llmModel?: GraphModelInput | null;
}
interface GraphModelInput {
  model: string;
  url?: string | null;
  apiKey?: string | null;
  fallbacks?: GraphModelInput[] | null;
}

/** Parts that are null stay so; within one, null is absent. */
export const profileOf = ({ vectorDb, ...models }: GraphProfileInput): ProfileChange => {
  const parts = {
    ...models,
    ...(vectorDb ? { vectorDb: { ...vectorDb, type: vectorDb.type.toLowerCase() } } : { vectorDb }),
  };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([part, choice]) =>
      choice === undefined ? [] : [[part, choice && withoutNull(choice)]],
    ),
  );
};

const withoutNull = (choice: object): object =>
  Object.fromEntries(
    Object.entries(choice).flatMap(([name, value]: [string, unknown]) =>
      value === null ? [] : [[name, Array.isArray(value) ? value.map(withoutNull) : value]],
    ),
  );
