import type { Format } from '../format.js';
import { writeBlocks } from '../plain-text.js';
import { openArchive } from './archive.js';
import { docxArchive } from './docx-archive.js';
import { factsOfCore } from './core-facts.js';
import { blocksOfMarkup } from './html-blocks.js';
import { parseMarkup } from './html-document.js';

const MAIN = 'word/document.xml';
/** Documents and templates, with macros (which are not read) or without. */
const TYPE = /(wordprocessingml|ms-word)\.(document|template)\.(macroEnabled(Template)?\.)?main\+xml$/;
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

export const docx: Format = {
  contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  extensions: ['docx', 'docm', 'dotx'],
  matches: ({ contained, zip }) =>
    TYPE.test(contained ?? '') || (contained === null && zip?.some(({ name }) => name === MAIN) === true),
  parse: async ({ zip }) => {
    const archive = openArchive(zip, 'Word document');
    const { default: mammoth } = await import('mammoth');
    // mammoth takes an opened archive too (lib/unzip.js), though its types don't say so.
    const input = { file: docxArchive(archive) } as unknown as { buffer: Buffer };
    const { value: markup } = await mammoth.convertToHtml(input, {
      styleMap: STYLES,
      includeEmbeddedStyleMap: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })), // no picture is read
    });
    const facts = factsOfCore(archive);
    const written = writeBlocks(blocksOfMarkup(parseMarkup(markup).body));
    return { ...written, ...facts };
  },
};
