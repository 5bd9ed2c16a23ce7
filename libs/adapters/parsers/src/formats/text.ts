import type { Format } from '../format.js';
import { writeBlocks, type NewBlock } from '../plain-text.js';
import { metadataOfText } from '../text-metadata.js';

/** Text in these is markup or code of a format that is not read here, though every byte of it is text. */
const MARKED_UP =
  /^(application\/(rtf|xml|postscript|x-mobipocket)|image\/|text\/(calendar|vcard)|message\/|multipart\/)/;

const LIST_ITEM = /^\s{0,8}([-*•–·‣◦]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/;
const NUMBERED = /^(\d{1,2}(\.\d{1,2}){0,4})\.?\s+\p{Lu}/u;
const MAX_HEADING = 80;
/** Where most lines are longer, each is a paragraph: the writer's editor wrapped them on screen only. */
const LONG_LINE = 100;

export const text: Format = {
  contentType: 'text/plain',
  extensions: ['txt', 'text', 'log'],
  matches: ({ decoded, magic }) =>
    decoded !== null && !(magic !== null && MARKED_UP.test(magic)) && !isMail(decoded.text),
  parse: async ({ decoded }) => {
    const { text: body = '' } = decoded ?? {};
    const written = writeBlocks(blocksOfText(body));
    return { title: null, createdAt: null, metadata: metadataOfText(decoded), ...written };
  },
};

/** A mail as it is stored: headers that every mail has, and no other text begins with. */
export const isMail = (body: string): boolean => {
  const head = body.slice(0, 20_000).split(/\r?\n\r?\n/, 1)[0] ?? '';
  const fields =
    head.match(/^(From|To|Date|Subject|Message-ID|MIME-Version|Received|Return-Path|Content-Type)(?=:\s)/gim) ?? [];
  if (/^content-type:\s*multipart\//i.test(head)) return true;
  return /^[\w-]+:\s/.test(head) && new Set(fields.map((field) => field.toLowerCase())).size >= 3;
};

/** Paragraphs, lists and headings, as blank lines and signs set them apart. */
export const blocksOfText = (body: string): NewBlock[] => {
  const chunks = body
    .replace(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n\s*?(?=\S|[^\S\n]+\S|$)/)
    .map((chunk) => chunk.replace(/^\n+|\s+$/g, ''))
    .filter((chunk) => chunk !== '');
  return chunks.flatMap((chunk, index) => {
    const level = index + 1 < chunks.length ? headingLevel(chunk) : null;
    return level === null ? linesOf(chunk) : [{ kind: 'heading', text: chunk, level }];
  });
};

/** A line by itself that is numbered like a section, or all in capitals. */
export const headingLevel = (chunk: string): number | null => {
  if (chunk.includes('\n') || chunk.length > MAX_HEADING || /[.,;:!?]$/.test(chunk)) return null;
  const number = NUMBERED.exec(chunk)?.[1];
  if (number !== undefined) return Math.min(6, number.split('.').length);
  return /\p{Lu}{3}/u.test(chunk) && !/\p{Ll}/u.test(chunk) ? 1 : null;
};

const linesOf = (chunk: string): NewBlock[] => {
  const lines = chunk.split('\n');
  const items = lines.filter((line) => LIST_ITEM.test(line)).length;
  if (items > 1 && items >= lines.length / 3) return [{ kind: 'list', text: chunk }];
  const long = lines.filter((line) => line.length > LONG_LINE).length;
  if (lines.length > 1 && long > lines.length / 2) return lines.map((line) => ({ kind: 'text', text: line }));
  return [{ kind: 'text', text: chunk }];
};
