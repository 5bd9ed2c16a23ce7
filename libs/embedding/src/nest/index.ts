export { embeddingModule, embeddingTypeDefs } from './embedding.module.js';
