import type { Format } from './format.js';
import { csv } from './formats/csv.js';
import { doc } from './formats/doc.js';
import { docx } from './formats/docx.js';
import { epub } from './formats/epub.js';
import { html } from './formats/html.js';
import { json } from './formats/json.js';
import { markdown } from './formats/markdown.js';
import { odt } from './formats/odt.js';
import { pdf } from './formats/pdf.js';
import { pptx } from './formats/pptx.js';
import { rtf } from './formats/rtf.js';
import { text } from './formats/text.js';
import { xlsx } from './formats/xlsx.js';

/** Every format that is read, in the order in which they are asked: the surest signs first. */
export const FORMATS: readonly Format[] = [pdf, docx, doc, pptx, xlsx, odt, epub, rtf, html, json, markdown, csv, text];
