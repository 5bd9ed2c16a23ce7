import type { ParsedParagraph } from '@postmaster/contracts';

export interface ParagraphBatch {
  before: string;
  after: string;
  paragraphs: ParsedParagraph[];
}

const MOST_PARAGRAPHS = 32;
const MOST_BYTES = 128 * 1024;

/** Cuts paragraphs into the batches that events carry: at most 32 of them or 128 KB of text, with the text on either side. */
export const batchesOf = (paragraphs: readonly ParsedParagraph[]): ParagraphBatch[] => {
  const batches: ParagraphBatch[] = [];
  let from = 0;
  let bytes = 0;
  const close = (to: number): void => {
    if (to === from) return;
    batches.push({
      before: paragraphs[from - 1]?.text.slice(-NEIGHBOUR) ?? '',
      after: paragraphs[to]?.text.slice(0, NEIGHBOUR) ?? '',
      paragraphs: paragraphs.slice(from, to),
    });
    from = to;
    bytes = 0;
  };
  paragraphs.forEach((paragraph, i) => {
    const size = Buffer.byteLength(paragraph.text);
    if (i - from >= MOST_PARAGRAPHS || (i > from && bytes + size > MOST_BYTES)) close(i);
    bytes += size;
  });
  close(paragraphs.length);
  return batches;
};

/** As much of a neighbour's text as facets are made with, in UTF-16 units. */
const NEIGHBOUR = 600;
