import type { NewBlock } from '../../plain-text.js';
import type { JoinLines } from './join-lines.js';
import type { Line } from './lines.js';
import type { Styles } from './styles.js';
import { findTables, tableText } from './tables.js';

const SURE_BULLET = /^[•●▪◦‣■□▶➢✓✔]/;
const ITEM = /^([•●▪◦‣■□▶➢✓✔*–-]\s*(?=\S)|\(?(\d{1,3}|[a-z])[.)]\s+)/;
const SENTENCE_END = /[.!?:;]["”’»)\]]*$/;
const MAX_HEADING_LINES = 3;
/** The share of a region's width by which lines that are full may differ. */
const RAGGED = 0.1;

export interface PdfBlock extends NewBlock {
  page: number;
  first: Line;
  /** By it, a paragraph that runs on over a column's or page's end is known. */
  last: Line;
  lines: number;
  /** Not in the page's flow of text: a stamp in its margin. */
  isAside: boolean;
}

interface Edges {
  left: number;
  right: number;
}

/** The blocks of one region: lines that belong together by their distance, indentation and type. */
export const paragraphsOf = (lines: readonly Line[], styles: Styles, join: JoinLines, isAside: boolean): PdfBlock[] => {
  const edges = {
    left: Math.min(...lines.map(({ left }) => left)),
    right: Math.max(...lines.map(({ right }) => right)),
  };
  const blocks: PdfBlock[] = [];
  const begin = (kind: NewBlock['kind'], text: string, of: readonly Line[], level?: number): void => {
    const [first, last] = [of[0], of.at(-1)];
    if (first && last) blocks.push({ kind, text, page: first.page, first, last, lines: of.length, isAside, level });
  };
  for (const stretch of findTables(lines)) {
    if (stretch.kind === 'table') {
      begin('table', tableText(stretch.lines), stretch.lines);
      continue;
    }
    const { line } = stretch;
    const above = blocks.at(-1);
    const level = isAside ? null : styles.headingLevel(line);
    if (above && continuesBlock(line, level, above, styles, edges)) {
      if (above.kind === 'heading' && above.lines >= MAX_HEADING_LINES)
        Object.assign(above, { kind: 'text', level: undefined });
      Object.assign(above, { text: joinTo(above, line, edges, join), last: line, lines: above.lines + 1 });
    } else if (styles.hasMonoCode && line.isMono) begin('code', line.text, [line]);
    else if (level !== null) begin('heading', line.text, [line], level);
    else begin(ITEM.test(line.text) ? 'list' : 'text', line.text, [line]);
  }
  return blocks.map((block) => (isList(block) ? block : { ...block, kind: 'text' }));
};

/** A single "1998. It was …" or "– and yet" is no list. */
const isList = ({ kind, text }: PdfBlock): boolean =>
  kind !== 'list' || SURE_BULLET.test(text) || text.split('\n').filter((line) => ITEM.test(line)).length > 1;

const continuesBlock = (line: Line, level: number | null, above: PdfBlock, styles: Styles, edges: Edges): boolean => {
  const isCode = styles.hasMonoCode && line.isMono;
  switch (above.kind) {
    case 'table':
      return false;
    case 'heading':
      return level === above.level && !isFar(line, above.last, styles) && line.font === above.last.font;
    case 'code':
      return isCode && !isFar(line, above.last, styles, 2.2);
    case 'list':
      if (isCode || level !== null || Math.abs(line.size - above.last.size) > above.last.size * 0.12) return false;
      if (ITEM.test(line.text)) return !isFar(line, above.last, styles, 2.2);
      // A line that stands further left than its item's is none of it.
      return (
        !isFar(line, above.last, styles) &&
        line.left >= above.first.left - line.size * 0.3 &&
        !isNextParagraph(line, above, edges)
      );
    default:
      if (isCode || SURE_BULLET.test(line.text)) return false;
      return !startsAnew(line, above.last, styles, edges) && (level === null || line.size <= styles.bodySize * 1.1);
  }
};

/** After a list's end, text that goes back to its left edge. */
const isNextParagraph = (line: Line, list: PdfBlock, edges: Edges): boolean =>
  SENTENCE_END.test(list.last.text) && line.left <= list.first.left + line.size * 0.3 && !fills(list.last, line, edges);

const isFar = (line: Line, above: Line, styles: Styles, times = 1.35): boolean =>
  line.y - above.y > styles.leading(Math.max(line.size, above.size)) * times;

/** Whether a line begins a paragraph, from how it stands below the one before it. */
const startsAnew = (line: Line, above: Line, styles: Styles, edges: Edges): boolean => {
  if (Math.abs(line.size - above.size) > above.size * 0.12) return true;
  if (isFar(line, above, styles)) return true;
  const indent = line.left - above.left;
  const isIndented = indent > line.size * 0.8 && indent < line.size * 6;
  const isShort = above.right < edges.right - (edges.right - edges.left) * 0.25;
  return SENTENCE_END.test(above.text) && (isIndented || isShort);
};

/** Whether a line ended for want of room: the next one's first word would not have fitted. */
const fills = (line: Line, next: Line, { left, right }: Edges): boolean => {
  const [word = ''] = next.text.split(' ');
  const width = ((next.right - next.left) / Math.max(1, next.text.length)) * (word.length + 1);
  return line.right + width > right - Math.max(line.size, (right - left) * RAGGED);
};

/** Lines that ended before their room did keep their ends: addresses, verses, receipts. */
const joinTo = (above: PdfBlock, line: Line, edges: Edges, join: JoinLines): string => {
  if (above.kind === 'code') {
    const width = (line.right - line.left) / Math.max(1, line.text.length);
    const indent = Math.max(0, Math.round((line.left - above.first.left) / Math.max(1, width)));
    return `${above.text}\n${' '.repeat(Math.min(indent, 40))}${line.text}`;
  }
  if (above.kind === 'list' && ITEM.test(line.text)) return `${above.text}\n${line.text}`;
  const isKept = above.kind === 'text' && !fills(above.last, line, edges);
  if (isKept) return `${above.text}\n${line.text}`;
  const at = above.text.lastIndexOf('\n') + 1;
  return above.text.slice(0, at) + join(above.text.slice(at), line.text);
};
