import type { TenantId } from '@postmaster/contracts';
import { type Transaction, sql } from 'kysely';
import type { StoredProfile, TenantsTables } from './tables.js';

type Tx = Transaction<TenantsTables>;

/** Undefined where the tenant has nothing of its own. */
export const readProfile = (tx: Tx, tenant: TenantId): Promise<StoredProfile | undefined> =>
  tx.selectFrom('model_profiles').selectAll().where('tenant', '=', tenant).executeTakeFirst();

/** Its version is one more than the last. */
export const writeProfile = async (
  tx: Tx,
  tenant: TenantId,
  choices: StoredProfile['choices'],
): Promise<StoredProfile> => {
  const json = sql<StoredProfile['choices']>`${JSON.stringify(choices)}::jsonb`;
  return tx
    .insertInto('model_profiles')
    .values({ tenant, version: 1, choices: json })
    .onConflict((conflict) =>
      conflict.column('tenant').doUpdateSet({ version: sql<number>`model_profiles.version + 1`, choices: json }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
};
