import { z } from 'zod';

/** The ways to cut a document's text into the paragraphs that are searched, the default first. */
export const CHUNKINGS = ['paragraphs', 'sentence-windows', 'tokens', 'headings', 'semantic', 'parent-child'] as const;
export const Chunking = z.enum(CHUNKINGS, { error: `should be one of ${CHUNKINGS.join(', ')}` });
export type Chunking = z.infer<typeof Chunking>;
