import { CodedError } from '@postmaster/contracts';
import { openCompoundFile, type CompoundFile } from '../compound-file.js';
import type { Format } from '../format.js';
import { writeBlocks, type NewBlock } from '../plain-text.js';
import { factsOfSummary } from './summary-information.js';
import { blocksOfRows } from './table-blocks.js';
import { headingLevel } from './text.js';
import { extractWords } from './word-extractor.js';

const STREAM = 'WordDocument';
const TABLES = ['0Table', '1Table'];
/** Of the bits at byte 10 of the stream (MS-DOC, 2.5.2). */
const ENCRYPTED = 0x0100;
const ITEM = /^\s*([•·▪◦‣o–-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?=\S)/;

/** Word 97 to 2003. Which style a paragraph has is not told, so headings are known by their looks alone. */
export const doc: Format = {
  contentType: 'application/msword',
  extensions: ['doc', 'dot'],
  matches: ({ compound }) => compound?.names.has(STREAM) === true,
  parse: async ({ bytes }) => {
    const file = openCompoundFile(bytes);
    refuseEncrypted(file);
    const document = await extractWords(bytes);
    const others = [
      document.getTextboxes({ includeHeadersAndFooters: false }),
      document.getFootnotes(),
      document.getEndnotes(),
    ];
    return {
      ...writeBlocks([...blocksOf(document.getBody()), ...others.flatMap(blocksOf)]),
      ...factsOfSummary(file),
    };
  },
};

/** Reads what the library will, so that a stream that runs in a circle fails here and does not fill the memory there. */
const refuseEncrypted = (file: CompoundFile): void => {
  const main = Buffer.from(file.read(STREAM) ?? []);
  for (const table of TABLES) file.read(table);
  if (main.length >= 12 && (main.readUInt16LE(10) & ENCRYPTED) !== 0) {
    throw new CodedError('PASSWORD_NEEDED', 'The Word document is protected by a password.');
  }
};

/** A line is a paragraph, or a row of a table: those end their cells with tabs. */
const blocksOf = (body: string): NewBlock[] => {
  const lines = body.trimEnd().split('\n');
  const blocks: NewBlock[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const rows = runOf(lines, at, (row) => row.endsWith('\t'));
    const items = runOf(lines, at, (item) => ITEM.test(item));
    const level = at + 1 < lines.length ? headingLevel(line.trim()) : null;
    if (rows.length > 0) blocks.push(...blocksOfRows(rows.map((row) => row.slice(0, -1).split('\t'))));
    else if (items.length > 1) blocks.push({ kind: 'list', text: items.map((item) => item.trim()).join('\n') });
    else if (level !== null) blocks.push({ kind: 'heading', text: line.trim(), level });
    else blocks.push({ kind: 'text', text: line });
    at += rows.length || (items.length > 1 ? items.length : 1);
  }
  return blocks;
};

const runOf = (lines: readonly string[], start: number, belongs: (line: string) => boolean): string[] => {
  let end = start;
  while (end < lines.length && belongs(lines[end] ?? '')) end++;
  return lines.slice(start, end);
};
