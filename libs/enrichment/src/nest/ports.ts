import type { EnrichmentService } from '../enrichment-service.js';

export type EnrichmentUseCases = EnrichmentService['useCases'];
export const PORTS = Symbol('enrichment ports');
