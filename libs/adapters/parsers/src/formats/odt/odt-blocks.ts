import { flatten, type NewBlock } from '../../plain-text.js';
import { blocksOfRows } from '../table-blocks.js';
import { attributeOf, elementsOf, type XmlElement } from '../xml.js';

/** What was deleted while changes were tracked, remarks, form controls, and the names of sequences. */
const UNREAD =
  /^(tracked-changes|annotation|annotation-end|forms|sequence-decls|variable-decls|user-field-decls|title|desc|ruby-text|note-citation)$/;
/** Repeated cells say how often; empty ones are repeated to the edge of the sheet. */
const MAX_REPEATED = 1000;

/** The blocks of a text document's body (OASIS OpenDocument 1.3, part 3): frames and notes stand after their paragraph. */
export const odtBlocks = (body: XmlElement): NewBlock[] => elementsOf(body).flatMap(blocksOf);

const blocksOf = (element: XmlElement): NewBlock[] => {
  if (UNREAD.test(element.name)) return [];
  switch (element.name) {
    case 'h':
      return [headingOf(element), ...anchoredIn(element)];
    case 'p':
      return [{ kind: 'text', text: inlineText(element) }, ...anchoredIn(element)];
    case 'list':
      return [{ kind: 'list', text: listLines(element).join('\n') }];
    case 'table':
      return blocksOfRows(rowsOf(element));
    default:
      return odtBlocks(element); // sections, indexes, text boxes
  }
};

const headingOf = (element: XmlElement): NewBlock => ({
  kind: 'heading',
  text: flatten(inlineText(element)),
  level: Math.min(6, Math.max(1, Number(attributeOf(element, 'outline-level')) || 1)),
});

/** What hangs at a place within a paragraph: text boxes, footnotes. */
const anchoredIn = (paragraph: XmlElement): NewBlock[] =>
  elementsOf(paragraph).flatMap((element) => {
    if (element.name === 'text-box' || element.name === 'note-body') return odtBlocks(element);
    return UNREAD.test(element.name) ? [] : anchoredIn(element);
  });

/** A paragraph's text: white space is written with elements, and any of the file's own counts as one space. */
const inlineText = (element: XmlElement): string =>
  element.children
    .map((child) => {
      if (typeof child === 'string') return child.replace(/\s+/g, ' ');
      if (child.name === 's') return ' '.repeat(Math.min(MAX_REPEATED, Number(attributeOf(child, 'c') ?? 1) || 1));
      if (child.name === 'tab') return '\t';
      if (child.name === 'line-break') return '\n';
      return UNREAD.test(child.name) || /^(frame|note)$/.test(child.name) ? '' : inlineText(child);
    })
    .join('');

const listLines = (list: XmlElement): string[] =>
  elementsOf(list).flatMap((item) => {
    const lines = elementsOf(item).flatMap((part) =>
      part.name === 'list'
        ? listLines(part).map((line) => `  ${line}`)
        : blocksOf(part).map(({ text }) => flatten(text)),
    );
    return lines.map((line, index) => (index === 0 && !line.startsWith('  ') ? `- ${line}` : line));
  });

const rowsOf = (table: XmlElement): string[][] =>
  elementsOf(table).flatMap((element) => {
    if (/^table-(header-rows|rows|row-group)$/.test(element.name)) return rowsOf(element);
    return element.name === 'table-row' ? [cellsOf(element)] : [];
  });

const cellsOf = (row: XmlElement): string[] =>
  elementsOf(row).flatMap((cell) => {
    const text = odtBlocks(cell)
      .map((block) => flatten(block.text))
      .join(' ');
    const times = Number(attributeOf(cell, 'number-columns-repeated') ?? 1) || 1;
    return Array<string>(Math.min(times, MAX_REPEATED)).fill(text);
  });
