import { CodedError, ModelProfile, type OwnModels, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { type CheckPorts, checkProfile, type PartCheck } from './check-profile.js';
import { readProfile, writeProfile } from './rows/model-profiles.js';
import type { StoredProfile, TenantsTables } from './rows/tables.js';
import { readTenant } from './rows/tenants.js';
import type { SecretBox } from './secret-box.js';

export interface ProfilePorts extends CheckPorts {
  db: Database<TenantsTables>;
  /** Absent: secrets of tenants can not be kept here, and are refused. */
  secrets?: SecretBox;
}

/** What is given of a profile: a part that is null goes back to the server's own, one that is absent stays. */
export type ProfileChange = { [P in keyof ModelProfile]?: unknown };

export interface ProfileShown {
  version: number;
  /** Without its secrets: of a key, its last four characters at most. */
  profile: ModelProfile;
  checks: PartCheck[];
}

const PARTS = ['vectorDb', 'encodingModel', 'llmModel'] as const;
const aboutOf = (tenant: TenantId, part: string): string[] => [tenant, 'profile', part];

/**
 * Changes a tenant's choice of vector store and models, after each part that is given was really used once. Throws
 * INPUT_INVALID, NOT_FOUND, and PROFILE_REFUSED with what came of each part.
 */
export const setModelProfile =
  (ports: ProfilePorts) =>
  async (tenant: TenantId, change: ProfileChange): Promise<ProfileShown> => {
    const checked = await checkedProfile(ports)(tenant, change);
    return ports.db.asTenant(tenant, async (tx) => {
      if (!(await readTenant(tx, tenant))) throw new CodedError('NOT_FOUND', `There is no tenant "${tenant}".`);
      const kept = (await readProfile(tx, tenant))?.choices ?? {};
      const next = Object.fromEntries(
        PARTS.flatMap((part) => {
          const choice = change[part] === null ? undefined : (checked.sealed[part] ?? kept[part]);
          return choice ? [[part, choice]] : [];
        }),
      );
      return shown(tenant, await writeProfile(tx, tenant, next), ports.secrets, checked.checks);
    });
  };

export interface CheckedProfile {
  /** As it is stored. */
  sealed: StoredProfile['choices'];
  checks: PartCheck[];
}

/** Reads and tries what is given. Throws INPUT_INVALID, PROFILE_REFUSED. */
export const checkedProfile =
  ({ secrets, ...ports }: Pick<ProfilePorts, 'secrets' | keyof CheckPorts>) =>
  async (tenant: TenantId, change: ProfileChange): Promise<CheckedProfile> => {
    const given = Object.fromEntries(Object.entries(change).filter(([, choice]) => choice !== null));
    const read = ModelProfile.safeParse(given);
    if (!read.success) {
      const [issue] = read.error.issues;
      const field = issue?.path.join('.') || 'profile';
      throw new CodedError('INPUT_INVALID', `"${field}": ${issue?.message ?? 'is wrong'}.`, { field });
    }
    const checks = await checkProfile(ports)(tenant, read.data);
    if (!secrets && secretsIn(read.data).length > 0)
      throw new CodedError('PROFILE_REFUSED', 'The server keeps no secrets: POSTMASTER_SECRETS_KEY is not set there.');
    const sealed = withSecrets(read.data, (apiKey, part) => secrets?.seal(apiKey, aboutOf(tenant, part)));
    return { sealed, checks };
  };

/** What a tenant has of its own, secrets included; empty where it has nothing. For this service alone. */
export const openProfile =
  ({ db, secrets }: Pick<ProfilePorts, 'db' | 'secrets'>) =>
  async (tenant: TenantId): Promise<{ version: number; profile: ModelProfile }> => {
    const row = await db.asTenant(tenant, (tx) => readProfile(tx, tenant));
    return { version: row?.version ?? 0, profile: row ? opened(tenant, row, secrets) : {} };
  };

/** For the services that ask language models for the tenant. */
export const ownModelsOf =
  (ports: Pick<ProfilePorts, 'db' | 'secrets'>) =>
  async (tenant: TenantId): Promise<OwnModels> => {
    const { row, known } = await ports.db.asTenant(tenant, async (tx) => ({
      row: await readProfile(tx, tenant),
      known: await readTenant(tx, tenant),
    }));
    const llmModel = row && opened(tenant, row, ports.secrets).llmModel;
    return { version: row?.version ?? 0, llmModel: llmModel ?? null, entitiesBy: known?.entitiesBy ?? 'server' };
  };

/** Null where the tenant uses all of the server's own. */
export const showModelProfile =
  ({ db, secrets }: Pick<ProfilePorts, 'db' | 'secrets'>) =>
  async (tenant: TenantId): Promise<ProfileShown | null> => {
    const row = await db.asTenant(tenant, (tx) => readProfile(tx, tenant));
    return row ? shown(tenant, row, secrets, []) : null;
  };

export const shown = (
  tenant: TenantId,
  row: StoredProfile,
  secrets: SecretBox | undefined,
  checks: PartCheck[],
): ProfileShown => {
  const profile = withSecrets(opened(tenant, row, secrets), hintOf);
  return { version: row.version, profile, checks };
};

/** A short key shows nothing of itself. */
const hintOf = (secret: string): string => (secret.length >= 16 ? `…${secret.slice(-4)}` : '…');

const opened = (tenant: TenantId, row: StoredProfile, secrets: SecretBox | undefined): ModelProfile => {
  if (!secrets && secretsIn(row.choices).length > 0)
    throw new CodedError('CONFIG_INVALID', 'POSTMASTER_SECRETS_KEY is not set; it opens what tenants gave.');
  const open = (sealed: string, part: string) => secrets?.open(sealed, aboutOf(tenant, part));
  return ModelProfile.parse(withSecrets(row.choices, open));
};

interface Keyed {
  apiKey?: string;
}
type OfSecret = (secret: string, part: string) => string | undefined;

/** The profile with each of its secrets as it is to be; `part` names the place of one, a fallback's too. */
const withSecrets = (profile: ModelProfile, of: OfSecret): ModelProfile => {
  const made = <C extends Keyed>(choice: C, part: string): C => ({
    ...choice,
    apiKey: choice.apiKey === undefined ? undefined : of(choice.apiKey, part),
  });
  const { vectorDb, encodingModel, llmModel } = profile;
  const fallbacks = llmModel?.fallbacks?.map((one, at) => made(one, `llmModel.fallbacks.${at}`));
  return {
    ...(vectorDb && { vectorDb: made(vectorDb, 'vectorDb') }),
    ...(encodingModel && { encodingModel: made(encodingModel, 'encodingModel') }),
    ...(llmModel && { llmModel: { ...made(llmModel, 'llmModel'), ...(fallbacks && { fallbacks }) } }),
  };
};

const secretsIn = (profile: ModelProfile): string[] => {
  const found: string[] = [];
  withSecrets(profile, (secret) => {
    found.push(secret);
    return secret;
  });
  return found;
};
