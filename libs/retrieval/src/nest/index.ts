export { retrievalModule, retrievalTypeDefs } from './retrieval.module.js';
