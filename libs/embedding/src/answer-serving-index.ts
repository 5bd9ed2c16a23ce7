import { type IndexSpec, type Requests, servingIndex, type TenantId } from '@postmaster/contracts';

/** Tells which index a tenant's questions are asked of, where there is no question to encode. */
export const answerServingIndex = (
  requests: Requests,
  index: (tenant: TenantId) => Promise<IndexSpec>,
  store: 'lancedb' | 'qdrant' = 'lancedb',
): void =>
  requests.answer(servingIndex, async ({ tenant }) => {
    const { name, encoder, dimension } = await index(tenant);
    return { index: name, encoder, dimension, store };
  });
