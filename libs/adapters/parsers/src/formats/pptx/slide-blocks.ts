import { flatten, type NewBlock } from '../../plain-text.js';
import { blocksOfRows } from '../table-blocks.js';
import { allText, attributeOf, descendantsOf, elementAt, elementsOf, type XmlElement } from '../xml.js';

/** Placeholders that repeat on every slide (ECMA-376, 19.7.10). */
const FURNITURE = /^(dt|ftr|hdr|sldNum|sldImg)$/;

/** What a slide's shapes say: the title first, then the others in the order of the file, groups and tables included. */
export const slideBlocks = (slide: XmlElement, page: number): NewBlock[] => {
  const blocks = shapesOf(elementAt(slide, 'cSld', 'spTree')).flatMap((shape) =>
    shape.name === 'graphicFrame' ? tablesOf(shape, page) : textOf(shape, page),
  );
  const isHeading = ({ kind }: NewBlock): boolean => kind === 'heading';
  return [...blocks.filter(isHeading), ...blocks.filter((block) => !isHeading(block))];
};

/** The speaker's notes of a slide. */
export const noteBlocks = (notes: XmlElement, page: number): NewBlock[] =>
  shapesOf(elementAt(notes, 'cSld', 'spTree'))
    .filter((shape) => placeholderOf(shape) === 'body')
    .map((shape) => ({
      kind: 'text',
      text: linesOf(shape)
        .map(({ text }) => text)
        .join('\n'),
      page,
    }));

/** The words of a diagram (SmartArt), which stand in a part of their own. */
export const diagramBlocks = (diagram: XmlElement, page: number): NewBlock[] => {
  const points = descendantsOf(diagram, 'pt').map((point) => descendantsOf(point, 't').map(allText).join(' '));
  const lines = points.filter((text) => text.trim() !== '').map((text) => `- ${flatten(text)}`);
  return [{ kind: 'list', text: lines.join('\n'), page }];
};

/** Shapes, those within groups too; of the forms that a shape has for newer and older programs, the newer. */
const shapesOf = (tree: XmlElement | undefined): XmlElement[] =>
  elementsOf(tree).flatMap((element) => {
    if (element.name === 'grpSp') return shapesOf(element);
    if (element.name === 'AlternateContent') return shapesOf(elementAt(element, 'Choice'));
    return element.name === 'sp' || element.name === 'graphicFrame' ? [element] : [];
  });

/** The kind of placeholder a shape fills; undefined for one that fills none. */
const placeholderOf = (shape: XmlElement): string | undefined => {
  const placeholder = elementAt(shape, 'nvSpPr', 'nvPr', 'ph');
  return placeholder && (attributeOf(placeholder, 'type') ?? 'obj');
};

const textOf = (shape: XmlElement, page: number): NewBlock[] => {
  const placeholder = placeholderOf(shape);
  if (FURNITURE.test(placeholder ?? '')) return [];
  const lines = linesOf(shape);
  if (placeholder === 'title' || placeholder === 'ctrTitle') {
    const level = placeholder === 'ctrTitle' ? 1 : 2;
    return [{ kind: 'heading', text: flatten(lines.map(({ text }) => text).join(' ')), level, page }];
  }
  const isList = lines.length > 1 && /^(obj|body)$/.test(placeholder ?? '');
  const text = lines.map((line) => (isList ? `${'  '.repeat(line.level)}- ${line.text}` : line.text)).join('\n');
  return [{ kind: isList ? 'list' : 'text', text, page }];
};

const linesOf = (shape: XmlElement): { text: string; level: number }[] =>
  elementsOf(elementAt(shape, 'txBody'), 'p')
    .map((paragraph) => ({
      text: runsOf(paragraph).trim(),
      level: Math.min(8, Number(attributeOf(elementAt(paragraph, 'pPr'), 'lvl') ?? 0) || 0),
    }))
    .filter(({ text }) => text !== '');

const runsOf = (paragraph: XmlElement): string =>
  elementsOf(paragraph)
    .map((run) => {
      if (run.name === 'br') return '\n';
      if (run.name === 'AlternateContent' || run.name === 'm') return descendantsOf(run, 't').map(allText).join('');
      return run.name === 'r' || run.name === 'fld' ? allText(elementAt(run, 't')) : '';
    })
    .join('');

const tablesOf = (frame: XmlElement, page: number): NewBlock[] =>
  descendantsOf(frame, 'tbl').flatMap((table) =>
    blocksOfRows(
      elementsOf(table, 'tr').map((row) =>
        elementsOf(row, 'tc').map((cell) =>
          linesOf(cell)
            .map(({ text }) => text)
            .join(' '),
        ),
      ),
      page,
    ),
  );
