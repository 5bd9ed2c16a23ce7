import type { Format } from './format.js';
import { docx } from './formats/docx.js';
import { html } from './formats/html.js';
import { markdown } from './formats/markdown.js';
import { pdf } from './formats/pdf.js';
import { pptx } from './formats/pptx.js';
import { text } from './formats/text.js';
import { xlsx } from './formats/xlsx.js';

/** Every format that is read, in the order in which they are asked: the surest signs first. */
export const FORMATS: readonly Format[] = [pdf, docx, pptx, xlsx, html, markdown, text];
