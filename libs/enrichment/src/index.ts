export type { FacetInput, FacetModel, FacetReply } from './facet-model.js';
export { EXTRACTIVE_VERSION, extractiveFacets } from './extractive/extractive-facets.js';
export { type EnrichmentPorts, type EnrichmentService, enrichmentService } from './enrichment-service.js';
export { ENRICHMENT_SCHEMA, enrichmentMigrations } from './rows/migrations.js';
export type { EnrichmentTables } from './rows/tables.js';
export { FACET_PROMPT_VERSION, facetPrompt } from './prompt/facet-prompt.js';
export { FACET_REPLY_SCHEMA, FacetReplyText } from './prompt/facet-reply.js';
