export { type DocxFacts, docxBomb, type DocxPart, encryptedDocx, sampleDocx } from './sample-files/sample-docx.js';
export {
  encryptedPdf,
  type PdfFacts,
  type PdfLine,
  placedPdf,
  samplePdf,
  scannedPdf,
  truncated,
} from './sample-files/sample-pdf.js';
export { zipArchive } from './sample-files/zip-archive.js';
