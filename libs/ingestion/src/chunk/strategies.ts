import type { Chunking } from '@postmaster/contracts';
import type { Chunker } from './chunker.js';
import { fixedTokens } from './fixed-tokens.js';
import { byHeadings } from './headings.js';
import { byParagraphs } from './paragraphs.js';
import { parentChild } from './parent-child.js';
import { bySemantics } from './semantic.js';
import { sentenceWindows } from './sentence-windows.js';

export const STRATEGIES: Readonly<Record<Chunking, Chunker>> = {
  paragraphs: byParagraphs,
  'sentence-windows': sentenceWindows({ sentences: 5, stride: 3 }),
  tokens: fixedTokens({ overlap: 0.2 }),
  headings: byHeadings,
  semantic: bySemantics,
  'parent-child': parentChild,
};
