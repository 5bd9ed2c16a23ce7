import type { ChunkableDocument, ChunkedParagraph, ChunkSettings } from './chunker.js';
import { codePointsOf } from './code-points.js';
import { divide } from './divide.js';
import { byParagraphs } from './paragraphs.js';
import { pageAt, spansOf } from './spans.js';

const PARENT = 2;
const CHILD = 1 / 3;

/**
 * Small to match, large to read: paragraphs of 2 × `words` words, each divided at sentences or lines into children of a
 * third of `words`, which are what is searched and know their parent's span.
 */
export const parentChild = (document: ChunkableDocument, { words }: ChunkSettings): ChunkedParagraph[] => {
  const points = codePointsOf(document.text);
  return byParagraphs(document, { words: words * PARENT, long: 'split' })
    .flatMap((parent) => {
      const by = parent.kind === 'text' ? 'sentences' : 'lines';
      const pieces = divide(parent.text, words * CHILD, by, parent.language);
      const children = spansOf(pieces, parent.text, parent.start, points);
      if (children.length < 2) return [parent];
      const { start, end } = parent;
      return children.map((child) => ({
        ...parent,
        ...child,
        text: points.slice(child.start, child.end),
        page: pageAt(child.start, document.pageStarts) ?? parent.page,
        parent: { start, end },
      }));
    })
    .map((paragraph, position) => ({ ...paragraph, position }));
};
