export type { Block, ParsedDocument, ParseLimits, Parser } from './block.js';
