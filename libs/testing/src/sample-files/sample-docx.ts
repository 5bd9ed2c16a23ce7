import { compoundFile } from './compound-file.js';
import { escapeXml, officeFrame, relations, type OfficeFacts } from './office-parts.js';
import { zipArchive, zipBomb } from './zip-archive.js';

/** A paragraph, a heading, a list or a table of a sample document. */
export type DocxPart = string | { heading: string; level: 1 | 2 | 3 } | { list: string[] } | { table: string[][] };

const PLAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const MACROS = 'application/vnd.ms-word.document.macroEnabled.main+xml';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** A Word document with these parts, as Word itself would open it. `macros` makes it one that carries a macro project. */
export const sampleDocx = (parts: readonly DocxPart[], facts: OfficeFacts = {}, { macros = false } = {}): Buffer =>
  zipArchive({
    ...frame(facts, macros ? MACROS : PLAIN),
    'word/document.xml': documentXml(parts),
    ...(macros && { 'word/vbaProject.bin': 'Sub AutoOpen(): Shell "calc": End Sub' }),
  });

/** What looks like a Word document of a few kilobytes and unpacks to `megabytes`, its headers claiming a hundred bytes. */
export const docxBomb = (megabytes: number): Buffer => zipBomb('word/document.xml', megabytes);

/** What Word writes when a password is set (MS-OFFCRYPTO). */
export const encryptedDocx = (): Buffer =>
  compoundFile({ EncryptionInfo: Buffer.alloc(8), EncryptedPackage: Buffer.alloc(8) });

const documentXml = (parts: readonly DocxPart[]): string =>
  `<?xml version="1.0"?><w:document xmlns:w="${WORD}"><w:body>${parts.map(partXml).join('')}</w:body></w:document>`;

const partXml = (part: DocxPart): string => {
  if (typeof part === 'string') return paragraph(part);
  if ('heading' in part) return paragraph(part.heading, `<w:pStyle w:val="Heading${part.level}"/>`);
  if ('list' in part) {
    const numbering = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';
    return part.list.map((item) => paragraph(item, numbering)).join('');
  }
  const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
  return `<w:tbl>${part.table.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`;
};

const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`;

const frame = (facts: OfficeFacts, type: string): Record<string, string> => ({
  ...officeFrame('word/document.xml', type, facts, {
    'word/numbering.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml',
  }),
  'word/_rels/document.xml.rels': relations([['numbering', 'numbering', 'numbering.xml']]),
  'word/numbering.xml': `<?xml version="1.0"?><w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
});
