import { CodedError, type TenantId } from '@postmaster/contracts';
import { hashOfSecret } from './key-secret.js';
import type { KeyPorts } from './keys.js';
import { addKey } from './rows/keys.js';
import { addTenant, changeTenant, readTenant } from './rows/tenants.js';
import {
  CreateTenant,
  type Key,
  KEY_SCOPES,
  type NewKey,
  PARAGRAPH_WORDS,
  type Tenant,
  UpdateTenant,
  checked,
} from './tenant.js';

/** Makes a tenant and its first key, both or neither. Throws INPUT_INVALID, CONFLICT. */
export const createTenant =
  ({ db, now, newId, newSecret }: KeyPorts) =>
  async (input: CreateTenant): Promise<{ tenant: Tenant; key: NewKey }> => {
    const { id, name } = checked(CreateTenant, input);
    const secret = newSecret();
    const first: Key = { id: newId(), name: 'first key', scopes: [...KEY_SCOPES], createdAt: now(), revokedAt: null };
    return db.asTenant(id, async (tx) => {
      const tenant = await addTenant(tx, newTenant(id, name, now()));
      if (!tenant) throw new CodedError('CONFLICT', `There is a tenant "${id}" already.`, { field: 'id' });
      const key = await addKey(tx, id, first, hashOfSecret(secret));
      if (!key) throw new Error('The same 32 random bytes were drawn twice.');
      return { tenant, key: { key, secret } };
    });
  };

export const newTenant = (id: TenantId, name: string, createdAt: Date): Tenant => ({
  id,
  name,
  paragraphWords: PARAGRAPH_WORDS,
  longParagraphs: 'split',
  chunking: 'paragraphs',
  search: {},
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

/** Throws NOT_FOUND. */
export const showTenant =
  ({ db }: Pick<KeyPorts, 'db'>) =>
  async (id: TenantId): Promise<Tenant> =>
    existing(await db.asTenant(id, (tx) => readTenant(tx, id)), id);

const existing = (tenant: Tenant | undefined, id: TenantId): Tenant => {
  if (!tenant) throw new CodedError('NOT_FOUND', `There is no tenant "${id}".`);
  return tenant;
};
