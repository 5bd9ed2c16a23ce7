import { crc32 } from 'node:zlib';

/** A DOCX of headings and paragraphs: the fewest parts that Word opens. No library, same bytes every time. */
export const makeDocx = ({ title, author, language, paragraphs }) =>
  zipOf({
    '[Content_Types].xml': xml(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        override('/word/document.xml', 'wordprocessingml.document.main') +
        override('/word/styles.xml', 'wordprocessingml.styles') +
        '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>' +
        '</Types>',
    ),
    '_rels/.rels': relations([
      [`${OFFICE}/relationships/officeDocument`, 'word/document.xml'],
      [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    ]),
    'word/_rels/document.xml.rels': relations([[`${OFFICE}/relationships/styles`, 'styles.xml']]),
    'word/document.xml': xml(
      `<w:document ${W}><w:body>${styled('Title', title)}${paragraphs
        .map((text) => (text.startsWith('# ') ? styled('Heading1', text.slice(2)) : styled('Normal', text)))
        .join('')}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>`,
    ),
    'word/styles.xml': xml(
      `<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="${language}"/></w:rPr></w:rPrDefault></w:docDefaults>` +
        `${style('Normal', 'Normal', '<w:sz w:val="22"/>')}${style('Title', 'Title', '<w:b/><w:sz w:val="40"/>')}` +
        `${style('Heading1', 'heading 1', '<w:b/><w:sz w:val="30"/>')}</w:styles>`,
    ),
    'docProps/core.xml': xml(
      `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
        'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
        `<dc:title>${escaped(title)}</dc:title><dc:creator>${escaped(author)}</dc:creator><dc:language>${language}</dc:language>` +
        '<dcterms:created xsi:type="dcterms:W3CDTF">2026-11-01T09:00:00Z</dcterms:created></cp:coreProperties>',
    ),
  });

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

const xml = (body) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`;
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const override = (part, type) =>
  `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`;
const style = (id, name, look) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:rPr>${look}</w:rPr></w:style>`;
const styled = (name, text) =>
  `<w:p><w:pPr><w:pStyle w:val="${name}"/></w:pPr><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;
const relations = (targets) =>
  xml(
    `<Relationships xmlns="${PACKAGE}/relationships">${targets
      .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${type}" Target="${target}"/>`)
      .join('')}</Relationships>`,
  );

/** A zip whose entries are stored as they are, dated 1980 as the format begins. */
const zipOf = (entries) => {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const bytes = Buffer.from(text);
    const path = Buffer.from(name);
    const facts = Buffer.alloc(26); // what local and central header share
    facts.writeUInt16LE(20, 0); // version needed
    facts.writeUInt16LE(0x800, 2); // names are UTF-8
    facts.writeUInt16LE(0x21, 8); // 1 January 1980
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(bytes.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, path, bytes]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, rest, path]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
};
