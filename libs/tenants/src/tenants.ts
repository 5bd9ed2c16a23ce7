import { CodedError, type TenantId } from '@postmaster/contracts';
import type { z } from 'zod';
import { hashOfSecret } from './key-secret.js';
import type { KeyPorts } from './keys.js';
import { checkedProfile, type ProfileChange, type ProfilePorts, type ProfileShown, shown } from './model-profile.js';
import { addKey } from './rows/keys.js';
import { writeProfile } from './rows/model-profiles.js';
import { addTenant, changeTenant, readTenant, setCeiling } from './rows/tenants.js';
import {
  CeilingOf,
  CreateTenant,
  type Key,
  KEY_SCOPES,
  type NewKey,
  PARAGRAPH_WORDS,
  type Tenant,
  UpdateTenant,
  checked,
} from './tenant.js';

export interface NewTenant {
  tenant: Tenant;
  key: NewKey;
  profile: ProfileShown | null;
}

/**
 * Makes a tenant, its first key and, where one is given, its model profile: all or nothing. Throws INPUT_INVALID,
 * CONFLICT, PROFILE_REFUSED.
 */
export const createTenant =
  ({ db, now, newId, newSecret, ...ports }: KeyPorts & ProfilePorts) =>
  async (input: CreateTenant, choices?: ProfileChange): Promise<NewTenant> => {
    const { id, name } = checked(CreateTenant, input);
    const taken = () => new CodedError('CONFLICT', `There is a tenant "${id}" already.`, { field: 'id' });
    if (choices && (await db.asTenant(id, (tx) => readTenant(tx, id)))) throw taken(); // before its models are tried
    const given = choices && (await checkedProfile(ports)(id, choices));
    const secret = newSecret();
    const first: Key = { id: newId(), name: 'first key', scopes: [...KEY_SCOPES], createdAt: now(), revokedAt: null };
    return db.asTenant(id, async (tx) => {
      const tenant = await addTenant(tx, newTenant(id, name, now()));
      if (!tenant) throw taken();
      const key = await addKey(tx, id, first, hashOfSecret(secret));
      if (!key) throw new Error('The same 32 random bytes were drawn twice.');
      const profile = given && shown(id, await writeProfile(tx, id, given.sealed), ports.secrets, given.checks);
      return { tenant, key: { key, secret }, profile: profile ?? null };
    });
  };

export const newTenant = (id: TenantId, name: string, createdAt: Date): Tenant => ({
  id,
  name,
  paragraphWords: PARAGRAPH_WORDS,
  longParagraphs: 'split',
  chunking: 'paragraphs',
  entitiesBy: 'server',
  search: {},
  budget: {},
  ceiling: {},
  createdAt,
});

/**
 * Documents that are read or retried, and questions that are asked, from now on go by it. Throws INPUT_INVALID,
 * NOT_FOUND.
 */
export const updateTenant =
  ({ db }: Pick<KeyPorts, 'db'>) =>
  async (id: TenantId, input: UpdateTenant): Promise<Tenant> => {
    const change = checked(UpdateTenant, input);
    return existing(await db.asTenant(id, (tx) => changeTenant(tx, id, change)), id);
  };

/** The operator's bound on what a tenant may spend, whatever it says itself. Throws INPUT_INVALID, NOT_FOUND. */
export const limitTenant =
  ({ db }: Pick<KeyPorts, 'db'>) =>
  async (input: z.input<typeof CeilingOf>): Promise<Tenant> => {
    const { id, budget } = checked(CeilingOf, input);
    return existing(await db.asTenant(id, (tx) => setCeiling(tx, id, budget)), id);
  };

/** Throws NOT_FOUND. */
export const showTenant =
  ({ db }: Pick<KeyPorts, 'db'>) =>
  async (id: TenantId): Promise<Tenant> =>
    existing(await db.asTenant(id, (tx) => readTenant(tx, id)), id);

const existing = (tenant: Tenant | undefined, id: TenantId): Tenant => {
  if (!tenant) throw new CodedError('NOT_FOUND', `There is no tenant "${id}".`);
  return tenant;
};
