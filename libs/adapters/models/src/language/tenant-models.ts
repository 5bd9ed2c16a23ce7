import {
  CodedError,
  CODES,
  type EntitiesBy,
  type ErrorCode,
  type LanguageModelChoice,
  type ModelChoice,
  type OwnModels,
  setWithin,
  type TenantId,
} from '@postmaster/contracts';
import type { EntityModel } from '@postmaster/enrichment';
import { type LanguageModels, languageModels, namedModel, type NamedModel } from './models-from-config.js';
import { publicFetch } from './public-fetch.js';

export interface TenantModelSettings {
  /** Hosts in private networks that tenants may name. */
  allowedHosts?: readonly string[];
  concurrency?: number;
  timeoutMs?: number;
}

/**
 * The models that a tenant's choice names, with its own fallbacks behind the first, none of which is the server's;
 * "ollama:llama3.2" at Ollama's, those with no provider's name at OpenAI's API or what speaks it.
 */
export const modelsOfChoice = (
  { fallbacks = [], ...first }: LanguageModelChoice,
  { allowedHosts = [], ...settings }: TenantModelSettings = {},
): Required<LanguageModels> => {
  const placeOf = ({ model, ...place }: ModelChoice): NamedModel => ({
    ...{ ...place, ...namedModel(model) },
    fetch: publicFetch(allowedHosts),
  });
  return languageModels([placeOf(first), ...fallbacks.map(placeOf)], settings);
};

/** What the operator's variables say of tenants' models. */
export const modelSettingsOf = (config: {
  ALLOWED_PRIVATE_HOSTS?: readonly string[];
  LLM_CONCURRENCY?: number;
  LLM_TIMEOUT_MS?: number;
}): TenantModelSettings => ({
  allowedHosts: config.ALLOWED_PRIVATE_HOSTS,
  concurrency: config.LLM_CONCURRENCY,
  timeoutMs: config.LLM_TIMEOUT_MS,
});

const PROBE_WITHIN_MS = 20_000;

/** One small real call to a model that a tenant chooses. */
export const modelProbe = (settings: TenantModelSettings) => ({
  languageModel: async (choice: ModelChoice): Promise<void> => {
    const tried = await modelsOfChoice(choice, { ...settings, timeoutMs: PROBE_WITHIN_MS }).tryOnce();
    if (tried.ok) return;
    const { code, message, next } = tried.failure;
    throw new CodedError(Object.hasOwn(CODES, code) ? (code as ErrorCode) : 'MODEL_REFUSED', message, { next });
  },
});

/** How long a tenant's choice is believed without asking. */
const FRESH_MS = 3_000;
const MOST_TENANTS = 500;

/** What a tenant says of language models. */
export interface SaidOfModels {
  /** Of its own; undefined where it uses the server's. */
  models?: Required<LanguageModels>;
  entitiesBy: EntitiesBy;
}

/**
 * What tenants say of language models. Clients are kept as long as the profile's version stays. While it can't be asked
 * for, what was known last; never the server's model in the place of a tenant's own.
 */
export const tenantModels = (
  ask: (tenant: TenantId) => Promise<OwnModels>,
  settings: TenantModelSettings = {},
  now: () => number = Date.now,
): ((tenant: TenantId) => Promise<SaidOfModels>) => {
  const known = new Map<TenantId, SaidOfModels & { version: number; at: number }>();
  return async (tenant) => {
    const before = known.get(tenant);
    if (before && now() - before.at < FRESH_MS) return before;
    const own = await ask(tenant).catch((error: unknown) => {
      if (before) return undefined;
      throw error;
    });
    if (!own) return before ?? NOTHING_SAID;
    const isSame = before?.version === own.version;
    const models = isSame ? before.models : own.llmModel ? modelsOfChoice(own.llmModel, settings) : undefined;
    const said = { version: own.version, at: now(), models, entitiesBy: own.entitiesBy };
    setWithin(known, MOST_TENANTS, tenant, said);
    return said;
  };
};

const NOTHING_SAID: SaidOfModels = { entitiesBy: 'server' };

/** Whom a tenant has read its entities, as it says, else the operator; nobody where there is no model. */
export const entityModels =
  (
    saidBy: (tenant: TenantId) => Promise<SaidOfModels>,
    server: { entities?: EntityModel; entitiesBy: Exclude<EntitiesBy, 'server'> },
  ) =>
  async (tenant: TenantId): Promise<EntityModel | undefined> => {
    const { models, entitiesBy } = await saidBy(tenant);
    const by = entitiesBy === 'server' ? server.entitiesBy : entitiesBy;
    return by === 'model' ? (models?.entities ?? server.entities) : undefined;
  };
