export { chunk, type ChunkOptions, type ChunkedParagraph } from './chunk.js';
export { codePointsOf, type CodePoints } from './code-points.js';
