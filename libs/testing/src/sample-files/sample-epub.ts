import { escapeXml, type OfficeFacts } from './office-parts.js';
import { zipArchive } from './zip-archive.js';

/** A book of these chapters, each the inside of an XHTML body; in the archive they lie in another order. */
export const sampleEpub = (
  chapters: readonly string[],
  { title, author, created, language }: OfficeFacts & { language?: string } = {},
  parts: Readonly<Record<string, string>> = {},
): Buffer =>
  zipArchive({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><metadata>${[
      title === undefined ? '' : `<dc:title>${escapeXml(title)}</dc:title>`,
      author === undefined ? '' : `<dc:creator>${escapeXml(author)}</dc:creator>`,
      created === undefined ? '' : `<dcterms:created>${created}</dcterms:created>`,
      language === undefined ? '' : `<dc:language>${language}</dc:language>`,
    ].join('')}</metadata><manifest>${chapters
      .map(
        (_, index) => `<item id="c${index}" href="text/chapter%20${index}.xhtml" media-type="application/xhtml+xml"/>`,
      )
      .join(
        '',
      )}</manifest><spine>${chapters.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(
      chapters
        .map((chapter, index) => [
          `OEBPS/text/chapter ${index}.xhtml`,
          `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${chapter}</body></html>`,
        ])
        .reverse(),
    ),
    ...parts,
  });
