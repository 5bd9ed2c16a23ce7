export { startIngestion } from './start-ingestion.js';
