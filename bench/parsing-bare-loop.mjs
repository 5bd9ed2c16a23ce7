// A process that reads documents with the libraries alone: pdf.js's text of every page, mammoth's HTML. For parsing.mjs.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const pdfjs = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) globalThis[name] ??= function Unused() {}; // pdf.js warns where there are none

const readPdf = async (bytes) => {
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    data: new Uint8Array(bytes),
    cMapUrl: `${path.join(pdfjs, 'cmaps')}/`,
    standardFontDataUrl: `${path.join(pdfjs, 'standard_fonts')}/`,
    wasmUrl: `${path.join(pdfjs, 'wasm')}/`,
    ...{ useWorkerFetch: false, useSystemFonts: false, disableFontFace: true, isEvalSupported: false },
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise;
    for (let number = 1; number <= document.numPages; number++) await (await document.getPage(number)).getTextContent();
  } finally {
    await task.destroy();
  }
};

const readDocx = async (buffer) => {
  const { default: mammoth } = await import('mammoth');
  await mammoth.convertToHtml({ buffer }, { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) });
};

const readers = { '.pdf': readPdf, '.docx': readDocx };

process.on('message', async (file) => {
  try {
    await readers[path.extname(file)](await readFile(file));
    process.send({ read: true });
  } catch (error) {
    process.send({ read: false, why: String(error) });
  }
});
process.send('ready');
