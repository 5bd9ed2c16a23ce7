export { startRetrieval } from './start-retrieval.js';
