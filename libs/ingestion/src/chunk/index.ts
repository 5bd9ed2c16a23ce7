export type { ChunkableDocument, ChunkedParagraph, Chunker, ChunkSettings, EncodePassages, Span } from './chunker.js';
export { chunkDocument } from './chunk-document.js';
export { codePointsOf, type CodePoints } from './code-points.js';
export { STRATEGIES } from './strategies.js';
