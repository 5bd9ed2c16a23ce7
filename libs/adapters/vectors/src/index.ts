export { lanceDbStore, type LanceDbOptions } from './lance-db-store.js';
