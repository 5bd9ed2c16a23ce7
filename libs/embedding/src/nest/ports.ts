import type { EmbeddingService } from '../embedding-service.js';

export type EmbeddingGraphPorts = EmbeddingService['useCases'];
export const PORTS = Symbol('embedding ports');
