export { compoundFile } from './sample-files/compound-file.js';
export { sampleDoc } from './sample-files/sample-doc.js';
export { docxBomb, type DocxPart, encryptedDocx, sampleDocx } from './sample-files/sample-docx.js';
export type { OfficeFacts } from './sample-files/office-parts.js';
export {
  encryptedPdf,
  mixedPdf,
  type PdfFacts,
  type PdfLine,
  type PdfPicture,
  placedPdf,
  pdfOfObjects,
  samplePdf,
  scannedPdf,
  truncated,
} from './sample-files/sample-pdf.js';
export { type PictureFacts, samplePicture, sampleTiff } from './sample-files/sample-picture.js';
export { sampleEpub } from './sample-files/sample-epub.js';
export { sampleOdt } from './sample-files/sample-odt.js';
export { type PptxSlide, samplePptx } from './sample-files/sample-pptx.js';
export { sampleXlsx, type XlsxCell } from './sample-files/sample-xlsx.js';
export { type MailPart, sampleMail } from './sample-files/sample-mail.js';
export { sampleMsg } from './sample-files/sample-msg.js';
export { zipArchive, zipBomb, zipEntries, zipOf } from './sample-files/zip-archive.js';
