import { isoDate } from '../iso-date.js';
import type { Draft } from '../plain-text.js';
import type { MarkupDocument } from './html-document.js';

const TITLES = ['og:title', 'dc.title', 'citation_title'];
const DATES = ['article:published_time', 'date', 'dc.date', 'dcterms.created', 'citation_publication_date', 'pubdate'];
const AUTHORS = ['author', 'dc.creator', 'citation_author', 'article:author'];
const MAX = 500;

/** What a page says of itself in its head: title, date, author, description, site, language. */
export const factsOfMarkup = (
  document: MarkupDocument,
): Pick<Draft, 'title' | 'createdAt' | 'metadata' | 'declaredLanguage'> => {
  const metas = new Map<string, string>();
  for (const meta of document.querySelectorAll('meta')) {
    const key = (meta.getAttribute('name') ?? meta.getAttribute('property') ?? '').toLowerCase();
    const value = meta.getAttribute('content')?.trim();
    if (key && value && value.length <= MAX && !metas.has(key)) metas.set(key, value);
  }
  const first = (keys: string[]): string | undefined => keys.map((key) => metas.get(key)).find((value) => value);
  const linked = linkedData(document);
  const author = first(AUTHORS.filter((key) => !/^https?:/.test(metas.get(key) ?? ''))) ?? linked.author;
  const description = first(['description', 'og:description']);
  const site = first(['og:site_name']);
  const time = document.querySelector('time[pubdate],article time[datetime]')?.getAttribute('datetime');
  return {
    title: first(TITLES) ?? (document.querySelector('title')?.textContent?.trim() || null),
    createdAt: [first(DATES), linked.datePublished, time].map(isoDate).find((date) => date !== null) ?? null,
    declaredLanguage: document.documentElement.getAttribute('lang')?.slice(0, 2).toLowerCase() || undefined,
    metadata: { ...(author && { author }), ...(description && { description }), ...(site && { site }) },
  };
};

/** Date and author from schema.org data (JSON-LD), where the page's first piece of it has them in the plain form. */
const linkedData = (document: MarkupDocument): { datePublished?: string; author?: string } => {
  const json = document.querySelector('script[type="application/ld+json"]')?.textContent ?? '';
  const pick = (pattern: RegExp): string | undefined => pattern.exec(json)?.[1];
  return {
    datePublished: pick(/"datePublished"\s*:\s*"([^"\\]{1,40})"/),
    author: pick(/"author"\s*:\s*[[{\s]*[^}\]]*?"name"\s*:\s*"([^"\\]{1,100})"/),
  };
};
