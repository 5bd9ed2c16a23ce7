import {
  beginWrite as beginWriteType,
  CodedError,
  compareModels,
  endWrite as endWriteType,
  GATEWAY_SUBJECT,
  holdWrite as holdWriteType,
  ownModels,
  type Requests,
  requireScope,
  tenantProfile,
  spending,
  verifyKey,
} from '@postmaster/contracts';
import { compareStated } from './compare-models.js';
import { openProfile, ownModelsOf } from './model-profile.js';
import type { SecretBox } from './secret-box.js';
import { verifyKeyHash } from './keys.js';
import { spendingOf, type UsagePorts } from './ledger/show-usage.js';
import { showTenant } from './tenants.js';
import { beginWrite, endWrite, holdWrite, type WritePorts } from './write-once.js';

export interface AnswerPorts extends WritePorts, UsagePorts {
  requests: Pick<Requests, 'answer' | 'ask'>;
  secrets?: SecretBox;
}

/**
 * What is asked of this service: whose key it is (by the gateway only), a tenant's own settings, whether what a caller
 * says of its models is so, and which write an Idempotency-Key is of.
 */
export const answerTenantRequests = (ports: AnswerPorts): void => {
  const { requests } = ports;
  const verify = verifyKeyHash(ports);
  const show = showTenant(ports);
  const open = openProfile(ports);
  const own = ownModelsOf(ports);
  const compare = compareStated({ requests, ownProfile: async (tenant) => (await open(tenant)).profile });
  const [begin, hold, end] = [beginWrite(ports), holdWrite(ports), endWrite(ports)];
  requests.answer(verifyKey, async ({ subject }, { keyHash }) => {
    if (subject !== GATEWAY_SUBJECT) throw new CodedError('FORBIDDEN', 'Only the gateway may ask whose key it is.');
    return { key: (await verify(keyHash)) ?? null };
  });
  requests.answer(tenantProfile, async ({ tenant }) => {
    const { name, paragraphWords, longParagraphs, chunking, search } = await show(tenant);
    return { tenant, name, paragraphWords, longParagraphs, chunking, search };
  });
  requests.answer(compareModels, async (identity, stated, token) => {
    requireScope(identity, 'write');
    await compare(identity.tenant, token, stated);
    return {};
  });
  requests.answer(ownModels, ({ tenant, subject }) => {
    if (!subject.startsWith('service:')) throw new CodedError('FORBIDDEN', 'Only a service may ask for a key.');
    return own(tenant);
  });
  const mayStillSpend = spendingOf(ports);
  requests.answer(spending, ({ tenant }) => mayStillSpend(tenant));
  requests.answer(beginWriteType, ({ tenant }, { key, print }) => begin(tenant, key, print));
  requests.answer(holdWriteType, async ({ tenant }, { key, claim }) => {
    await hold(tenant, key, claim);
    return {};
  });
  requests.answer(endWriteType, async ({ tenant }, { key, claim, answer }) => {
    await end(tenant, key, claim, answer);
    return {};
  });
};
