import type { Format } from './format.js';
import { csv } from './formats/csv.js';
import { doc } from './formats/doc.js';
import { docx } from './formats/docx.js';
import { eml } from './formats/eml.js';
import { epub } from './formats/epub.js';
import { html } from './formats/html.js';
import { image } from './formats/image.js';
import { json } from './formats/json.js';
import { markdown } from './formats/markdown.js';
import { msg } from './formats/msg.js';
import { odt } from './formats/odt.js';
import { pdf } from './formats/pdf.js';
import { pptx } from './formats/pptx.js';
import { rtf } from './formats/rtf.js';
import { text } from './formats/text.js';
import { xlsx } from './formats/xlsx.js';
import { zip } from './formats/zip.js';

/** Every format that is read, in the order in which they are asked: the surest signs first. */
export const FORMATS: readonly Format[] = [
  ...[pdf, docx, doc, msg, pptx, xlsx, odt, epub, image],
  ...[eml, rtf, html, json, markdown, csv, text],
  zip, // archives of what is not a document as a whole
];
