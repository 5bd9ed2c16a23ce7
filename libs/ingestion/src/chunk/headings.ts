import type { ChunkableDocument, ChunkedParagraph, ChunkSettings } from './chunker.js';
import { codePointsOf } from './code-points.js';
import { wordsOf } from './gather.js';
import { paragraphsOf, placeOf } from './paragraphs.js';
import { type Section, sectionsOf } from './sections.js';
import { pageAt } from './spans.js';

/** A section may be so many times as long as a paragraph. */
const SECTION = 3;

/** All that stands under one heading, over pages too; more than 3 × `words` words are divided as paragraphs that long. */
export const byHeadings = (document: ChunkableDocument, { words }: ChunkSettings): ChunkedParagraph[] => {
  const points = codePointsOf(document.text);
  const most = words * SECTION;
  return underOneHeading(sectionsOf(document.blocks, points))
    .flatMap((section) => {
      const { trail, parts } = section;
      const start = parts[0]?.start ?? 0;
      const end = parts.at(-1)?.end ?? start;
      if (wordsOf(parts) > most) return paragraphsOf(section, document, points, { words: most, long: 'split' });
      const page = pageAt(start, document.pageStarts) ?? parts[0]?.page ?? null;
      return [{ ...placeOf(parts, document.language), trail, text: points.slice(start, end), page, start, end }];
    })
    .map((paragraph, position) => ({ ...paragraph, position }));
};

const underOneHeading = (sections: readonly Section[]): Section[] => {
  const joined: Section[] = [];
  for (const section of sections) {
    const last = joined.at(-1);
    if (last?.under === section.under && last.stretch === section.stretch)
      last.parts = [...last.parts, ...section.parts];
    else joined.push({ ...section });
  }
  return joined;
};
