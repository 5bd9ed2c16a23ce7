import { CodedError, TenantId } from '@postmaster/contracts';
import { hashOfSecret } from './key-secret.js';
import { type KeyPorts, createKey, verifyKeyHash } from './keys.js';
import { addKey, keepOnly } from './rows/keys.js';
import { addTenant } from './rows/tenants.js';
import { type Key, KEY_SCOPES } from './tenant.js';
import { newTenant } from './tenants.js';

export const DEFAULT_TENANT = TenantId.parse('default');

/** Names the key that the environment gives, of which there is one at a time. */
const CONFIGURED = 'POSTMASTER_API_KEY';
const MADE = 'api-key file';

export interface KnownKeys {
  /** POSTMASTER_API_KEY: the key from now on; one that it gave before is revoked. */
  configured?: string;
  /** What an earlier start kept in `<data>/api-key`. */
  kept?: string;
}

/**
 * Sees to the tenant `default` and a key of it with the scopes read, write and admin. The result is that key, to be
 * kept; a new one is made where none is configured and the kept one is missing, unknown or revoked.
 * Throws CONFIG_INVALID.
 */
export const ensureDefaultTenant =
  (ports: KeyPorts) =>
  async ({ configured, kept }: KnownKeys): Promise<{ secret: string; isNew: boolean }> => {
    const { db, now, newId } = ports;
    await db.asTenant(DEFAULT_TENANT, (tx) => addTenant(tx, newTenant(DEFAULT_TENANT, 'Default', now())));
    if (configured !== undefined) {
      const hash = hashOfSecret(configured);
      const key: Key = { id: newId(), name: CONFIGURED, scopes: [...KEY_SCOPES], createdAt: now(), revokedAt: null };
      await db.asTenant(DEFAULT_TENANT, async (tx) => {
        await addKey(tx, DEFAULT_TENANT, key, hash);
        await keepOnly(tx, DEFAULT_TENANT, CONFIGURED, hash, now());
      });
      if ((await verifyKeyHash(ports)(hash))?.tenant !== DEFAULT_TENANT)
        throw new CodedError(
          'CONFIG_INVALID',
          `${CONFIGURED} is a key of another tenant already; it should be a new one.`,
        );
      return { secret: configured, isNew: false };
    }
    if (kept !== undefined) {
      const known = await verifyKeyHash(ports)(hashOfSecret(kept));
      if (known?.tenant === DEFAULT_TENANT) return { secret: kept, isNew: false };
    }
    const { secret } = await createKey(ports)(DEFAULT_TENANT, { name: MADE, scopes: [...KEY_SCOPES] });
    return { secret, isNew: true };
  };
