import type { Format } from '../format.js';
import { flatten, writeBlocks } from '../plain-text.js';
import type { SourceFile } from '../source-file.js';
import { metadataOfText } from '../text-metadata.js';
import { jsonBlocks } from './json/json-blocks.js';

const MAX_TITLE = 300;

/** JSON (RFC 8259), and JSON by lines. A text in brackets that is neither is text, unless its name says that it is data. */
export const json: Format = {
  contentType: 'application/json',
  extensions: ['json', 'jsonl', 'ndjson', 'geojson'],
  matches: (file) => {
    if (!/^\s*[[{]/.test(file.decoded?.text ?? '')) return false;
    const isNamed = json.extensions.includes(file.extension) || file.declaredType === json.contentType;
    return isNamed || readJson(file) !== undefined;
  },
  parse: async (file) => {
    const root = readJson(file);
    if (root === undefined) throw new Error('it is cut off, or no JSON');
    return {
      ...writeBlocks(jsonBlocks(root)),
      title: titleOf(root),
      createdAt: null,
      metadata: metadataOfText(file.decoded),
    };
  },
};

/** Undefined for what is no JSON. */
const readJson = ({ decoded }: SourceFile): unknown => {
  const text = decoded?.text ?? '';
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return readLines(text);
  }
};

const readLines = (text: string): unknown[] | undefined => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || !lines.every((line) => /^\s*[[{].*[\]}]\s*$/.test(line))) return undefined;
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    return undefined;
  }
};

const titleOf = (root: unknown): string | null => {
  const title: unknown = typeof root === 'object' && root !== null && 'title' in root ? root.title : null;
  return typeof title === 'string' && title !== '' && title.length <= MAX_TITLE ? flatten(title) : null;
};
