import type { ChunkableDocument, ChunkedParagraph, Span } from './chunker.js';
import type { CodePoints } from './code-points.js';
import { countWords } from './count-words.js';
import { atomsOf } from './divide.js';
import { placeOf } from './paragraphs.js';
import type { Part } from './sections.js';
import { pageAt, spansOf } from './spans.js';

/** The least that strategies count: a sentence of running text, or a line of a list, a table or code. */
export interface Unit extends Span {
  text: string;
  words: number;
  /** Where it stands. */
  part: Part;
}

/** A part's units in order; one of more than `most` words comes in pieces. */
export const unitsOf = (part: Part, points: CodePoints, most: number, language: string | null): Unit[] => {
  const by = part.kind === 'text' ? 'sentences' : 'lines';
  const atoms = atomsOf(part.text, most, by, part.language ?? language);
  return spansOf(atoms, part.text, part.start, points).map((span) => {
    const text = points.slice(span.start, span.end);
    return { ...span, text, words: countWords(text), part };
  });
};

/** The paragraph from the first of these units to the last. */
export const paragraphOfUnits = (
  units: readonly Unit[],
  trail: string[],
  { language, pageStarts }: ChunkableDocument,
  points: CodePoints,
): Omit<ChunkedParagraph, 'position'> => {
  const [first] = units;
  if (!first) throw new Error('A paragraph has one unit at least.');
  const start = first.start;
  const end = units.at(-1)?.end ?? start;
  const words = new Map<Part, number>();
  for (const unit of units) words.set(unit.part, (words.get(unit.part) ?? 0) + unit.words);
  const parts = [...words].map(([part, own]) => ({ ...part, words: own }));
  const page = pageAt(start, pageStarts) ?? first.part.page ?? null;
  return { ...placeOf(parts, language), trail, text: points.slice(start, end), page, start, end };
};
