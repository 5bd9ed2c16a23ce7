import { CELL, LIST_ITEM, type Sentence } from './sentences.js';

/** A short line without an end is a heading, or the rule of a table; not so where it is all that the paragraph has. */
export const isHeading = ({ text }: Sentence, sentences: number): boolean => {
  if (!/[\p{L}\p{N}]/u.test(text)) return true;
  if (sentences === 1 || text.includes(CELL) || LIST_ITEM.test(text)) return false;
  return !/[.!?…。！？"”»)]$/u.test(text) && text.split(/\s+/).length < 9;
};

const CODE_SIGN = /[{}<>=$\\;_#]|--\p{L}|:\/\/|\(\)/gu;

/** Commands and code: more than one sign in fifty characters that prose has no use for. */
export const isCode = (text: string): boolean => (text.match(CODE_SIGN)?.length ?? 0) > Math.max(1, text.length / 50);

/** A sentence that begins with one of these leans on the sentence before. */
const LEANING = new Set(
  `he she it they this these that those his her its their such however therefore thus then there both
  han hun den det de dette denne disse hans hendes dens deres derfor dog derefter begge der
  hon detta dessa dess han henne er sie es dieser diese dieses deshalb il elle ils elles ce cette ces él ella esto
  hij zij dit deze`.split(/\s+/),
);

export const needsTheOneBefore = (text: string): boolean => {
  const first = /^\p{L}+/u.exec(text)?.[0].toLowerCase();
  return first !== undefined && LEANING.has(first);
};

/** A sentence as it stands in running text: without marks of lists and headings, a table row with the names of its columns. */
export const readable = (sentence: Sentence, paragraph: string): string => {
  const text = sentence.text.includes(CELL) ? row(sentence, paragraph) : unmarked(sentence.text);
  return text.replace(/\s+/g, ' ').trim();
};

const unmarked = (text: string): string => text.replace(LIST_ITEM, '').replace(/^#{1,6}\s+/, '');

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\s*\|\s?|\s?\|\s*$/g, '')
    .split(CELL)
    .map((cell) => cell.trim());

const row = ({ text, start }: Sentence, paragraph: string): string => {
  const header = paragraph.split('\n').find((line) => line.includes(CELL)) ?? '';
  const names = cellsOf(header);
  const cells = cellsOf(text);
  const headed =
    names.length === cells.length && paragraph.indexOf(header) < start && names.every((name) => !/^\d/.test(name));
  return cells
    .map((cell, i) => (headed && names[i] ? `${names[i]}: ${cell}` : cell))
    .filter((cell) => cell !== '' && !cell.endsWith(': '))
    .join('; ');
};
