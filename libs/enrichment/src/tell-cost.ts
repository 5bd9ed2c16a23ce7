import type { TenantId } from '@postmaster/contracts';
import { publish } from '@postmaster/durable';
import type { QueryExecutorProvider } from 'kysely';
import type { TokenUsage } from './facet-model.js';

/** Tells the tenant's ledger of a reply, in the transaction that keeps it; `document` is '' where it was for none. */
export const tellCost = (
  tx: QueryExecutorProvider,
  tenant: TenantId,
  { document, version }: { document: string; version: number },
  model: string,
  { calls = 1, inputTokens, outputTokens, cachedTokens = 0 }: TokenUsage,
): Promise<void> =>
  publish(tx, tenant, 'model.called', {
    ...{ document, version, task: 'facets', model },
    ...{ calls, inputTokens, outputTokens, cachedTokens },
  });
