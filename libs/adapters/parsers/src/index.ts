export { childProcessParser, type ChildProcessParserOptions } from './child-process-parser.js';
export { fetchDocument, type FetchedDocument, type FetchOptions } from './fetch/fetch-document.js';
export { OCR_VARIABLES, ocrFromConfig } from './ocr/ocr-from-config.js';
export { languageOf } from './language.js';
