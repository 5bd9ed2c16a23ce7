export { startEmbedding } from './start-embedding.js';
