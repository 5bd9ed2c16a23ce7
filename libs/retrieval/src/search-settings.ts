import {
  failure,
  type Notice,
  type Requests,
  type SearchOptions,
  type SearchSettings,
  tenantProfile,
  type TenantId,
} from '@postmaster/contracts';
import { singleFlight } from './cache/single-flight.js';
import { tenantCache } from './cache/tenant-cache.js';

/** A tenant's settings as far as they are known, and what is to be said of that. */
export interface KnownSettings {
  settings: SearchSettings;
  notices: Notice[];
}

export type SettingsOf = (tenant: TenantId, token: string) => Promise<KnownSettings>;

/** The product's, for every tenant. */
export const productSettings: SettingsOf = () => Promise.resolve({ settings: {}, notices: [] });

/** Settings, or that they could not be read, are known for so long without being asked for again. */
const KNOWN_FOR_MS = 1_000;
/** A search waits no longer for them. */
const PATIENCE_MS = 500;
/** Of tenants, whose last settings stay known. */
const TENANTS = 10_000;

/** The settings of a question's tenant; while their owner is silent, those known last, and a notice that says so. */
export const searchSettings = (requests: Pick<Requests, 'ask'>, now: () => number): SettingsOf => {
  const known = tenantCache<KnownSettings & { at: number }>({
    ...{ entries: TENANTS, bytes: Infinity, bytesOf: () => 0, lastsMs: () => Infinity, now },
  });
  const fly = singleFlight<KnownSettings>();
  const ask = async (tenant: TenantId, token: string): Promise<KnownSettings> => {
    const before = known.get(tenant, '');
    const told = await inTime(requests.ask(tenantProfile, token, {})).catch(() => undefined);
    const settings = told
      ? { settings: told.search, notices: [] }
      : { settings: before?.settings ?? {}, notices: [before ? AS_BEFORE : AS_DELIVERED] };
    known.set(tenant, '', { ...settings, at: now() });
    return settings;
  };
  return async (tenant, token) => {
    const last = known.get(tenant, '');
    if (last && now() - last.at < KNOWN_FOR_MS) return last;
    return fly(tenant, '', now(), () => ask(tenant, token)).making;
  };
};

/** The question's own options come first, leg by leg. */
export const withSettings = (options: SearchOptions, settings: SearchSettings): SearchOptions => ({
  ...settings,
  ...options,
  weights: { ...settings.weights, ...options.weights },
});

const inTime = async <T>(reply: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), PATIENCE_MS);
  });
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
};

const silent = (what: string): Notice =>
  failure('SERVICE_UNAVAILABLE', `The tenant's search settings can not be read: ${what} count.`);
const AS_BEFORE = silent('those known last');
const AS_DELIVERED = silent("the product's defaults");
