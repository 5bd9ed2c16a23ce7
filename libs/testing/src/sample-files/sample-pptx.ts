import { escapeXml, officeFrame, relations, type OfficeFacts } from './office-parts.js';
import { zipArchive } from './zip-archive.js';

export interface PptxSlide {
  title?: string;
  /** Paragraphs of the slide's body; each leading tab is a level. */
  body?: readonly string[];
  table?: readonly (readonly string[])[];
  notes?: string;
  /** An address that a picture of the slide is linked from. */
  picture?: string;
}

const NAMES =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const TYPES = 'application/vnd.openxmlformats-officedocument.presentationml';

/** A presentation of these slides, in PowerPoint's parts. `macros` makes it one that carries a macro project. */
export const samplePptx = (slides: readonly PptxSlide[], facts: OfficeFacts = {}, { macros = false } = {}): Buffer =>
  zipArchive({
    ...officeFrame(
      'ppt/presentation.xml',
      macros ? 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml' : `${TYPES}.presentation.main+xml`,
      facts,
    ),
    ...(macros && { 'ppt/vbaProject.bin': 'Sub AutoOpen(): Shell "calc": End Sub' }),
    'ppt/presentation.xml': `<p:presentation ${NAMES}><p:sldIdLst>${slides
      .map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      slides.map((_, index) => [`s${index}`, 'slide', `slides/slide${index}.xml`]),
    ),
    ...Object.assign({}, ...slides.map(slideParts)),
  });

const slideParts = ({ title, body = [], table, notes, picture }: PptxSlide, index: number): Record<string, string> => ({
  [`ppt/slides/slide${index}.xml`]: `<p:sld ${NAMES}><p:cSld><p:spTree>${[
    body.length > 0 ? shape('<p:ph idx="1"/>', body) : '',
    table ? tableXml(table) : '',
    title === undefined ? '' : shape('<p:ph type="title"/>', [title]),
    picture === undefined ? '' : '<p:pic><p:blipFill><a:blip r:link="picture"/></p:blipFill></p:pic>',
    shape('<p:ph type="sldNum" idx="12"/>', [String(index + 1)]),
  ].join('')}</p:spTree></p:cSld></p:sld>`,
  [`ppt/slides/_rels/slide${index}.xml.rels`]: relations([
    ...(notes === undefined ? [] : [['notes', 'notesSlide', `../notesSlides/notes${index}.xml`] as const]),
    ...(picture === undefined ? [] : [['picture', 'image', picture] as const]),
  ]),
  ...(notes !== undefined && {
    [`ppt/notesSlides/notes${index}.xml`]: `<p:notes ${NAMES}><p:cSld><p:spTree>${shape('<p:ph type="body" idx="1"/>', [notes])}</p:spTree></p:cSld></p:notes>`,
  }),
});

const shape = (placeholder: string, paragraphs: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr>${textBody('p', paragraphs)}</p:sp>`;

const tableXml = (rows: readonly (readonly string[])[]): string =>
  `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows
    .map((row) => `<a:tr>${row.map((cell) => `<a:tc>${textBody('a', [cell])}</a:tc>`).join('')}</a:tr>`)
    .join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;

const textBody = (prefix: string, paragraphs: readonly string[]): string =>
  `<${prefix}:txBody>${paragraphs
    .map((text) => {
      const level = text.length - text.replace(/^\t+/, '').length;
      return `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${escapeXml(text.slice(level))}</a:t></a:r></a:p>`;
    })
    .join('')}</${prefix}:txBody>`;
