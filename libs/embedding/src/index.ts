export { type EmbeddingPorts, type EmbeddingService, embeddingService } from './embedding-service.js';
export { embedWhole, type WholeEmbedding } from './embed-whole.js';
export { type Encoder, TextTooLongError } from './encoder.js';
export type { PointPatch, PointStore, PointVectors } from './point-store.js';
export type { VectorInfo } from './read-vectors.js';
export { EMBEDDING_SCHEMA, embeddingMigrations } from './rows/migrations.js';
export type { EmbeddingTables } from './rows/tables.js';
export { indexOf } from './tenant-index.js';
