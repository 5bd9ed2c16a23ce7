/** What all Office Open XML files are framed by (ECMA-376 part 2). */
export interface OfficeFacts {
  title?: string;
  author?: string;
  /** ISO 8601. */
  created?: string;
}

/** A part that another one points to: its type is the last word of the relation's URI. */
export type Related = readonly [id: string, type: string, target: string];

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

export const escapeXml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

export const relations = (targets: readonly Related[]): string =>
  `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(([id, type, target]) => {
      const uri = type === 'metadata/core-properties' ? `${PACKAGE}/relationships/${type}` : `${OFFICE}/${type}`;
      const mode = /^\w+:/.test(target) ? ' TargetMode="External"' : '';
      return `<Relationship Id="${id}" Type="${uri}" Target="${target}"${mode}/>`;
    })
    .join('')}</Relationships>`;

/** The parts around a main one, whose content type says what the file is; further parts' types by their names. */
export const officeFrame = (
  main: string,
  contentType: string,
  { title, author, created }: OfficeFacts,
  types: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${Object.entries(
    {
      [main]: contentType,
      'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml',
      ...types,
    },
  )
    .map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`)
    .join('')}</Types>`,
  '_rels/.rels': relations([
    ['officeDocument', 'officeDocument', main],
    ['core', 'metadata/core-properties', 'docProps/core.xml'],
  ]),
  'docProps/core.xml': `<?xml version="1.0"?><cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${[
    title === undefined ? '' : `<dc:title>${escapeXml(title)}</dc:title>`,
    author === undefined ? '' : `<dc:creator>${escapeXml(author)}</dc:creator>`,
    created === undefined ? '' : `<dcterms:created xsi:type="dcterms:W3CDTF">${created}</dcterms:created>`,
  ].join('')}</cp:coreProperties>`,
});
