import { CodedError } from '@postmaster/contracts';
import { writeBlocks, type Draft } from '../../plain-text.js';
import { regionsOf } from './columns.js';
import { readFragments, type PageText } from './fragments.js';
import { withoutFurniture } from './furniture.js';
import { joinBlocks } from './join-blocks.js';
import { lineJoiner, wordsOf } from './join-lines.js';
import { linesOf, type Line } from './lines.js';
import { openPdf, type OutlineEntry, type PdfDocument } from './open-pdf.js';
import { paragraphsOf } from './paragraphs.js';
import { factsOfPdf } from './pdf-facts.js';
import { outlineKey, stylesOf } from './styles.js';

/** The text of a PDF in reading order. A page that can't be read is named in the metadata; if none can, the file is broken. */
export const readPdf = async (bytes: Uint8Array): Promise<Draft> => {
  const { document, close } = await openPdf(bytes);
  try {
    refuseTooLong(document.numPages);
    const { pages, unread } = await readPages(document);
    const regions = withoutFurniture(pages).flatMap(({ fragments, aside }, index) => [
      ...regionsOf(fragments).map((region) => ({ lines: linesOf(region, index + 1), isAside: false })),
      ...regionsOf(aside).map((region) => ({ lines: linesOf(region, index + 1), isAside: true })),
    ]);
    const lines: Line[] = regions.flatMap((region) => (region.isAside ? [] : region.lines));
    const join = lineJoiner(wordsOf(lines.map(({ text }) => text)));
    const styles = stylesOf(lines, await outlineLevels(document));
    const blocks = joinBlocks(
      regions.flatMap((region) => paragraphsOf(region.lines, styles, join, region.isAside)),
      join,
    );
    const { title, createdAt, metadata } = await factsOfPdf(document);
    return {
      ...writeBlocks(blocks),
      title,
      createdAt,
      metadata: { ...metadata, pages: document.numPages, ...(unread.length > 0 && { unreadPages: unread.join(', ') }) },
    };
  } finally {
    await close();
  }
};

/** The longest books have 5,000 pages; a page that is there a thousand times over costs its writer a few bytes. */
const MAX_PAGES = 10_000;

const refuseTooLong = (pages: number): void => {
  if (pages > MAX_PAGES) {
    throw new CodedError('DOCUMENT_TOO_LONG', `The PDF has ${pages} pages, more than the ${MAX_PAGES} that are read.`);
  }
};

const EMPTY: PageText = { width: 0, height: 0, fragments: [], aside: [] };

const readPages = async (document: PdfDocument): Promise<{ pages: PageText[]; unread: number[] }> => {
  const pages: PageText[] = [];
  const unread: number[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    try {
      pages.push(await readFragments(await document.getPage(number)));
    } catch {
      unread.push(number);
      pages.push(EMPTY);
    }
  }
  if (unread.length === document.numPages) throw new CodedError('DOCUMENT_BROKEN', 'No page of the PDF can be read.');
  return { pages, unread };
};

/** Titles in the PDF's outline, with their depth: they tell headings better than type does. */
const outlineLevels = async (document: PdfDocument): Promise<Map<string, number>> => {
  const levels = new Map<string, number>();
  const walk = (entries: readonly OutlineEntry[], level: number): void => {
    for (const { title, items } of entries) {
      const key = outlineKey(title);
      if (key !== '' && !levels.has(key)) levels.set(key, level);
      walk(items, level + 1);
    }
  };
  walk((await document.getOutline().catch(() => null)) ?? [], 1);
  return levels;
};
