import { isoDate } from '../iso-date.js';
import { flatten, type Draft } from '../plain-text.js';
import type { Archive } from './archive.js';
import { allText, descendantsOf, type XmlElement } from './xml.js';

export type Facts = Pick<Draft, 'title' | 'createdAt' | 'metadata' | 'declaredLanguage'>;

const MAX = 500; // letters
/** Programs write these in place of a title. */
const NO_TITLE = /^(powerpoint presentation|untitled|document\d*|(microsoft )?word document)$/i;

/** Facts from a part of Dublin Core: OOXML's docProps/core.xml (ECMA-376 part 2), or another one's; what is missing or damaged is left out. */
export const factsOfCore = (archive: Archive, part = 'docProps/core.xml'): Facts => {
  try {
    return dublinCore(archive.readXml(part));
  } catch {
    return dublinCore(null); // the document is read without them
  }
};

/** Title, author, dates and language as Dublin Core names them, in OOXML, ODF and EPUB alike. */
export const dublinCore = (root: XmlElement | null): Facts => {
  const field = (...names: string[]): string | undefined =>
    names
      .flatMap((name) => (root ? descendantsOf(root, name) : []))
      .map((element) => flatten(allText(element)))
      .find((value) => value !== '' && value.length <= MAX);
  const title = field('title');
  const scalars = {
    author: field('initial-creator', 'creator'),
    subject: field('subject'),
    keywords: field('keywords', 'keyword'),
    description: field('description'),
    publisher: field('publisher'),
    modified: isoDate(field('modified')) ?? undefined,
  };
  const metadata: Draft['metadata'] = {};
  for (const [key, value] of Object.entries(scalars)) {
    if (value !== undefined) metadata[key] = value;
  }
  return {
    title: title === undefined || NO_TITLE.test(title) ? null : title,
    createdAt: isoDate(field('created', 'creation-date')),
    declaredLanguage: field('language'),
    metadata,
  };
};
