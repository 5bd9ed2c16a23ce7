export { enrichmentModule, enrichmentTypeDefs } from './enrichment.module.js';
