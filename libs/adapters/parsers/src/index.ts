export { childProcessParser, type ChildProcessParserOptions } from './child-process-parser.js';
export { fetchDocument, type FetchedDocument, type FetchOptions } from './fetch/fetch-document.js';
export { OCR_VARIABLES, ocrFromConfig } from './ocr/ocr-from-config.js';
export { folderFiles, type FolderFilesOptions, type FolderRoot } from './folder/folder-files.js';
export { folderRoots } from './folder/folder-roots.js';
export { languageOf } from './language.js';
