import type { List, ListItem, Parent, PhrasingContent, Root, RootContent, Table } from 'mdast';
import { flatten, type NewBlock } from '../plain-text.js';
import { blocksOfMarkup } from './html-blocks.js';
import { parseMarkup } from './html-document.js';

/** The blocks of a Markdown document, in order. */
export const blocksOfMarkdown = (root: Root): NewBlock[] => root.children.flatMap(blocksOf);

const blocksOf = (node: RootContent): NewBlock[] => {
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', text: flatten(inline(node)), level: node.depth }];
    case 'paragraph':
      return [{ kind: 'text', text: inline(node) }];
    case 'code':
      return [{ kind: 'code', text: node.value }];
    case 'list':
      return [{ kind: 'list', text: listLines(node).join('\n') }];
    case 'table':
      return [{ kind: 'table', text: tableLines(node).join('\n') }];
    case 'html':
      return blocksOfMarkup(parseMarkup(node.value).body);
    case 'blockquote':
    case 'footnoteDefinition':
      return node.children.flatMap(blocksOf);
    default:
      return []; // rules, and definitions of links, hold no text
  }
};

/** A paragraph's text without its marks; a line break stays only where the author asked for one. */
const inline = (node: Parent): string =>
  node.children
    .map((child) => inlineText(child as PhrasingContent))
    .join('')
    .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .trim();

const inlineText = (node: PhrasingContent): string => {
  switch (node.type) {
    case 'text':
      return node.value.replace(/\s*\n\s*/g, ' ');
    case 'inlineCode':
      return node.value;
    case 'break':
      return '\n';
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'html':
      return /^<br\b/i.test(node.value) ? '\n' : '';
    case 'footnoteReference':
      return '';
    default:
      return inline(node);
  }
};

const listLines = (list: List): string[] =>
  list.children.flatMap((item, index) => {
    const marker = list.ordered ? `${(list.start ?? 1) + index}.` : '-';
    return itemLines(item).map((line, row) => (row === 0 ? `${marker} ${line}` : `  ${line}`));
  });

const itemLines = (item: ListItem): string[] => {
  const check = item.checked === true ? '[x] ' : item.checked === false ? '[ ] ' : '';
  const lines = item.children.flatMap((child) => (child.type === 'list' ? listLines(child) : textLines(child)));
  return lines.length === 0 ? [] : [check + lines[0], ...lines.slice(1)];
};

const textLines = (node: RootContent): string[] => blocksOf(node).flatMap((block) => block.text.split('\n'));

const tableLines = (table: Table): string[] =>
  table.children.map((row) => row.children.map((cell) => flatten(inline(cell))).join(' | '));
