import { CodedError, type NewId, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { hashOfSecret } from './key-secret.js';
import { addKey, endKey, findLivingKey, listKeys, type LivingKey } from './rows/keys.js';
import type { TenantsTables } from './rows/tables.js';
import { CreateKey, type Key, type NewKey, checked } from './tenant.js';

export interface KeyPorts {
  db: Database<TenantsTables>;
  now: () => Date;
  newId: NewId;
  newSecret: () => string;
}

/** Makes a key of a tenant; its secret is in the result and nowhere else. Throws INPUT_INVALID. */
export const createKey =
  ({ db, now, newId, newSecret }: KeyPorts) =>
  async (tenant: TenantId, input: CreateKey): Promise<NewKey> => {
    const { name, scopes } = checked(CreateKey, input);
    const secret = newSecret();
    const wanted: Key = { id: newId(), name, scopes, createdAt: now(), revokedAt: null };
    const key = await db.asTenant(tenant, (tx) => addKey(tx, tenant, wanted, hashOfSecret(secret)));
    if (!key) throw new Error('The same 32 random bytes were drawn twice.');
    return { key, secret };
  };

/** From the moment it resolves the key is refused. Throws NOT_FOUND. */
export const revokeKey =
  ({ db, now }: Pick<KeyPorts, 'db' | 'now'>) =>
  async (tenant: TenantId, id: string): Promise<Key> => {
    const key = await db.asTenant(tenant, (tx) => endKey(tx, tenant, id, now()));
    if (!key) throw new CodedError('NOT_FOUND', `The tenant has no key of the id "${id}".`, { field: 'id' });
    return key;
  };

/** Revoked ones too, the newest first. */
export const readKeys =
  ({ db }: Pick<KeyPorts, 'db'>) =>
  (tenant: TenantId): Promise<Key[]> =>
    db.asTenant(tenant, (tx) => listKeys(tx, tenant));

/** Whose key has this SHA-256; undefined for an unknown or revoked one. */
export const verifyKeyHash =
  ({ db }: Pick<KeyPorts, 'db'>) =>
  (hash: string): Promise<LivingKey | undefined> =>
    db.asSystem((tx) => findLivingKey(tx, hash));
