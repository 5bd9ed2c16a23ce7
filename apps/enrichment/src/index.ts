export { startEnrichment } from './start-enrichment.js';
