import type { Paragraph } from '../client/shapes.js';
import { oneLine } from './printable.js';

/** "Handbook, page 3 · Installing › From source" */
export const placeText = ({ document, page, trail }: Pick<Paragraph, 'document' | 'page' | 'trail'>): string => {
  const title = document ? oneLine(document.title) : 'a document that can not be named now';
  const where = page === null ? title : `${title}, page ${page}`;
  const headings = (trail ?? []).map(oneLine);
  if (headings[0] === title) headings.shift(); // a title is often the first heading too
  return headings.length > 0 ? `${where} · ${headings.join(' › ')}` : where;
};
