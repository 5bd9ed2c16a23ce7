import { type IndexSpec, type Requests, servingIndex, type TenantId } from '@postmaster/contracts';

/** Tells retrieval which index a tenant's questions are asked of, where there is no question to encode. */
export const answerServingIndex = (requests: Requests, index: (tenant: TenantId) => Promise<IndexSpec>): void =>
  requests.answer(servingIndex, async ({ tenant }) => {
    const { name, encoder } = await index(tenant);
    return { index: name, encoder };
  });
