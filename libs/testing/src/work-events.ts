import { type DocumentFacts, hashOf, paragraphId, type ParsedParagraph, type WorkData } from '@postmaster/contracts';
import { facetsOf } from './fake-facet-model.js';

export const documentFacts = (given: Partial<DocumentFacts> = {}): DocumentFacts => ({
  title: 'A title',
  contentType: 'text/plain',
  language: 'en',
  sourceType: 'upload',
  sourceId: 'a.txt',
  collection: null,
  createdAt: null,
  addedAt: '2026-01-01T00:00:00.000Z',
  metadata: {},
  ...given,
});

/** The id that ingestion gives the first paragraph of this text. */
export const idOf = (document: string, text: string): string => paragraphId(document, hashOf(text), 0);

const parsedParagraph = (document: string, text: string, position: number): ParsedParagraph => ({
  id: idOf(document, text),
  textHash: hashOf(text),
  text,
  kind: 'text',
  position,
  page: null,
  start: position * 100,
  end: position * 100 + text.length,
  trail: [],
  language: 'en',
  unchanged: false,
});

/** A version of a document that has these paragraphs. */
export const parsed = (
  document: string,
  version: number,
  texts: readonly string[],
  given: Partial<WorkData<'paragraphs.parsed'>> = {},
): WorkData<'paragraphs.parsed'> => ({
  document,
  version,
  facts: documentFacts(),
  lane: 'interactive',
  active: version === 1,
  before: '',
  after: '',
  paragraphs: texts.map((text, i) => parsedParagraph(document, text, i)),
  ...given,
});

/** Facets of these paragraphs, as enrichment gives them out. */
export const enriched = (
  document: string,
  version: number,
  texts: readonly string[],
  revision = 1,
): WorkData<'paragraphs.enriched'> => ({
  document,
  version,
  lane: 'interactive',
  paragraphs: texts.map((text) => ({ id: idOf(document, text), revision, facets: facetsOf(`${text} #${revision}`) })),
});
