export { ingestionModule, ingestionTypeDefs } from './ingestion.module.js';
export type { IngestionGraphPorts } from './ports.js';
