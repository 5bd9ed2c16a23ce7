import type { EventData } from '@postmaster/contracts';
import type { TokenUsage } from './facet-model.js';

/** What the tenant's ledger hears of a reply; `document` is '' where it was for none. */
export const costOf = (
  task: 'facets' | 'metadata' | 'summaries' | 'entities',
  { document, version }: { document: string; version: number },
  model: string,
  { calls = 1, inputTokens, outputTokens, cachedTokens = 0 }: TokenUsage,
): EventData<'model.called'> => ({
  ...{ document, version, task, model },
  ...{ calls, inputTokens, outputTokens, cachedTokens },
});
