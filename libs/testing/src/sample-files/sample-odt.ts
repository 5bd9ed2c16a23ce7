import { escapeXml, type OfficeFacts } from './office-parts.js';
import type { DocxPart } from './sample-docx.js';
import { zipArchive } from './zip-archive.js';

const NAMES = ['office', 'text', 'table', 'meta']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

/** An OpenDocument text of these parts. */
export const sampleOdt = (parts: readonly DocxPart[], { title, author, created }: OfficeFacts = {}): Buffer =>
  zipArchive({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
    'content.xml': `<office:document-content ${NAMES}><office:body><office:text>${parts.map(partXml).join('')}</office:text></office:body></office:document-content>`,
    'meta.xml': `<office:document-meta ${NAMES} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>${[
      title === undefined ? '' : `<dc:title>${escapeXml(title)}</dc:title>`,
      author === undefined ? '' : `<meta:initial-creator>${escapeXml(author)}</meta:initial-creator>`,
      created === undefined ? '' : `<meta:creation-date>${created}</meta:creation-date>`,
    ].join('')}</office:meta></office:document-meta>`,
  });

const partXml = (part: DocxPart): string => {
  if (typeof part === 'string') return paragraph(part);
  if ('heading' in part) return `<text:h text:outline-level="${part.level}">${escapeXml(part.heading)}</text:h>`;
  if ('list' in part)
    return `<text:list>${part.list.map((item) => `<text:list-item>${paragraph(item)}</text:list-item>`).join('')}</text:list>`;
  const cell = (text: string): string => `<table:table-cell>${paragraph(text)}</table:table-cell>`;
  return `<table:table>${part.table.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('')}</table:table>`;
};

const paragraph = (text: string): string => `<text:p>${escapeXml(text)}</text:p>`;
