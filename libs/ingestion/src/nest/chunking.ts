import { Chunking } from '@postmaster/contracts';

/** "sentence-windows" is SENTENCE_WINDOWS in the graph. */
export type GraphChunking = string;

export const chunkingOf = (name: GraphChunking): Chunking => Chunking.parse(name.toLowerCase().replaceAll('_', '-'));

export const graphChunking = (chunking: Chunking): string => chunking.toUpperCase().replaceAll('-', '_');
