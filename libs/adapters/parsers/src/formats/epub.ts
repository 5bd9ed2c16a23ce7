import path from 'node:path/posix';
import { CodedError } from '@postmaster/contracts';
import type { Format } from '../format.js';
import { writeBlocks, type NewBlock } from '../plain-text.js';
import { openArchive, type Archive } from './archive.js';
import { dublinCore } from './core-facts.js';
import { blocksOfMarkup } from './html-blocks.js';
import { parseMarkup } from './html-document.js';
import { attributeOf, descendantsOf, elementAt, elementsOf, type XmlElement } from './xml.js';

const ENCRYPTED = 'META-INF/encryption.xml';

/** EPUB 2 and 3: the chapters in the order of the book's spine (EPUB 3.3, 5.7). */
export const epub: Format = {
  contentType: 'application/epub+zip',
  extensions: ['epub'],
  matches: ({ contained }) => contained === 'application/epub+zip',
  parse: async ({ zip }) => {
    const archive = openArchive(zip, 'book');
    const container = archive.readXml('META-INF/container.xml');
    const root = container && attributeOf(descendantsOf(container, 'rootfile')[0], 'full-path');
    const book = root && archive.readXml(root);
    if (!book) throw new Error('its table of contents is missing');
    const chapters = chaptersOf(book, root);
    refuseEncrypted(archive, chapters);
    return {
      ...writeBlocks(chapters.flatMap((chapter) => blocksOf(archive, chapter))),
      ...dublinCore(elementAt(book, 'metadata') ?? null),
    };
  },
};

/** The names of the parts that hold the text, each once. */
const chaptersOf = (book: XmlElement, root: string): string[] => {
  const parts = new Map(
    elementsOf(elementAt(book, 'manifest'), 'item').map(({ attributes }) => [attributes['id'], attributes['href']]),
  );
  const names = elementsOf(elementAt(book, 'spine'), 'itemref').flatMap(({ attributes }) => {
    const href = parts.get(attributes['idref'] ?? '');
    return href === undefined ? [] : path.join(path.dirname(root), decodeName(href));
  });
  return [...new Set(names)];
};

const decodeName = (href: string): string => {
  try {
    return decodeURIComponent(href.replace(/#.*$/, ''));
  } catch {
    return href; // a per cent sign that is part of the name
  }
};

/** Fonts are often scrambled, which is no matter; chapters are where the book is sold with a lock (DRM). */
const refuseEncrypted = (archive: Archive, chapters: readonly string[]): void => {
  const encryption = archive.readXml(ENCRYPTED);
  const locked = encryption ? descendantsOf(encryption, 'CipherReference') : [];
  if (locked.some((reference) => chapters.includes(decodeName(attributeOf(reference, 'URI') ?? '')))) {
    throw new CodedError('PASSWORD_NEEDED', "The book is locked by its seller's copy protection.", {
      next: 'Upload a copy of the book without copy protection.',
    });
  }
};

const blocksOf = (archive: Archive, chapter: string): NewBlock[] =>
  archive.has(chapter) ? blocksOfMarkup(parseMarkup(new TextDecoder().decode(archive.read(chapter))).body) : [];
