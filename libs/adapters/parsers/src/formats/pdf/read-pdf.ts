import { CodedError } from '@postmaster/contracts';
import type { Ocr } from '../../ocr/ocr.js';
import type { Draft } from '../../plain-text.js';
import { drawPage } from './draw-page.js';
import { EMPTY_PAGE, readFragments, type PageText } from './fragments.js';
import { blocksOfPages } from './layout.js';
import { openPdf, type OutlineEntry, type PdfDocument } from './open-pdf.js';
import { factsOfPdf } from './pdf-facts.js';
import { isPicture } from './picture-page.js';
import { outlineKey } from './styles.js';

/** The text of a PDF in reading order. A page that can't be read is named in the metadata; if none can, the file is broken. */
export const readPdf = async (bytes: Uint8Array, ocr: Ocr): Promise<Draft> => {
  const { document, close } = await openPdf(bytes);
  try {
    refuseTooLong(document.numPages);
    const { pages, unread } = await readPages(document, ocr);
    const blocks = blocksOfPages(pages, await outlineLevels(document));
    const { title, createdAt, metadata } = await factsOfPdf(document);
    return {
      ...blocks,
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

const readPages = async (document: PdfDocument, ocr: Ocr): Promise<{ pages: PageText[]; unread: number[] }> => {
  const pages: PageText[] = [];
  const unread: number[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    try {
      const page = await document.getPage(number);
      const text = await readFragments(page);
      const isSeen = ocr.isOn && (await isPicture(page, text));
      pages.push(isSeen ? await ocr.read(number, text, () => drawPage(page)) : text);
    } catch (error) {
      if (error instanceof CodedError) throw error;
      unread.push(number);
      pages.push(EMPTY_PAGE);
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
