export { childProcessParser, type ChildProcessParserOptions } from './child-process-parser.js';
export { languageOf } from './language.js';
export { parseBytes } from './parse-bytes.js';
