import { CodedError, GATEWAY_SUBJECT, type Requests, tenantProfile, verifyKey } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { verifyKeyHash } from './keys.js';
import type { TenantsTables } from './rows/tables.js';
import { showTenant } from './tenants.js';

/** What the other services ask of this one: whose key it is (the gateway only), and a tenant's own settings. */
export const answerTenantRequests = (requests: Pick<Requests, 'answer'>, db: Database<TenantsTables>): void => {
  const verify = verifyKeyHash({ db });
  const show = showTenant({ db });
  requests.answer(verifyKey, async ({ subject }, { keyHash }) => {
    if (subject !== GATEWAY_SUBJECT) throw new CodedError('FORBIDDEN', 'Only the gateway may ask whose key it is.');
    return { key: (await verify(keyHash)) ?? null };
  });
  requests.answer(tenantProfile, async ({ tenant }) => {
    const { name, paragraphWords, longParagraphs, chunking, search } = await show(tenant);
    return { tenant, name, paragraphWords, longParagraphs, chunking, search };
  });
};
