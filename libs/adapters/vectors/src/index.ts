export { lanceDbStore, type LanceDbOptions } from './lance-db-store.js';
export { type QdrantOptions, type QdrantStore, qdrantStore } from './qdrant/qdrant-store.js';
export type { QdrantSettings } from './qdrant/qdrant-settings.js';
export { type ConfiguredStore, STORE_VARIABLES, storeFromConfig, type StoreConfig } from './store-from-config.js';
