import { flatten, type NewBlock } from '../plain-text.js';
import { isElement, isText, type MarkupElement, type MarkupNode } from './html-document.js';
import { isLayout, lineOf, tableBlocks } from './html-tables.js';

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const UNREAD = names(
  'script style noscript template svg canvas iframe object embed audio video select button input textarea head title dialog',
);
const BLOCKS = names(
  'p div section article main header footer nav aside address blockquote figure figcaption details summary form fieldset ' +
    'legend hr body html center td th tr tbody thead tfoot caption li dt dd hgroup table ul ol dl menu search',
);
const LISTS = names('ul ol dl menu');
/** A list that holds these is there for the page's layout: its contents are read as blocks of their own. */
const STRUCTURE = 'h1,h2,h3,h4,h5,h6,table,pre,article,section';

/** The blocks of an element in reading order. White space means nothing, but in `pre`; `br` is a line end. */
export const blocksOfMarkup = (root: MarkupElement): NewBlock[] => {
  const blocks: NewBlock[] = [];
  let run = '';
  const flush = (): void => {
    const text = run
      .replace(/ *\n */g, '\n')
      .replace(/ {2,}/g, ' ')
      .replace(/\n{2,}/g, '\n')
      .trim();
    if (text !== '') blocks.push({ kind: 'text', text });
    run = '';
  };
  const visitChildren = (element: MarkupElement): void => {
    for (const child of element.childNodes) visit(child);
  };
  const visit = (node: MarkupNode): void => {
    if (isText(node)) run += (node.textContent ?? '').replace(/[\s\u00a0]+/g, ' ');
    if (!isElement(node) || UNREAD.has(node.localName) || isHidden(node)) return;
    const name = node.localName;
    if (name === 'br') run += '\n';
    else if (name === 'math') run += node.getAttribute('alttext') ?? flatten(node.textContent ?? '');
    else if (!BLOCKS.has(name) && !/^(h[1-6]|pre)$/.test(name)) visitChildren(node);
    else {
      flush();
      if (/^h[1-6]$/.test(name))
        blocks.push({ kind: 'heading', text: lineOf(node, blocksOfMarkup), level: Number(name[1]) });
      else if (name === 'pre') blocks.push({ kind: 'code', text: node.textContent ?? '' });
      else if (LISTS.has(name) && !node.querySelector(STRUCTURE))
        blocks.push({ kind: 'list', text: listLines(node).join('\n') });
      else if (name === 'table' && !isLayout(node)) blocks.push(...tableBlocks(node, blocksOfMarkup));
      else visitChildren(node);
      flush();
    }
  };
  visitChildren(root);
  flush();
  return blocks;
};

const isHidden = (element: MarkupElement): boolean =>
  element.getAttribute('hidden') !== null ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute('style') ?? '') ||
  (element.getAttribute('aria-hidden') === 'true' && element.localName !== 'math') ||
  /(^|\s)(mw-editsection|reference|sr-only|visually-hidden)(\s|$)/.test(element.getAttribute('class') ?? '') ||
  /^#(foot|end)note-ref-/.test(element.getAttribute('href') ?? ''); // Word's way back from a note

const listLines = (list: MarkupElement): string[] => {
  let number = Number(list.getAttribute('start') ?? 1) || 1;
  return [...list.children].flatMap((item) => {
    if (UNREAD.has(item.localName) || isHidden(item)) return [];
    // A list right within a list, without an item around it, is one level deeper all the same.
    const blocks: NewBlock[] = LISTS.has(item.localName)
      ? [{ kind: 'list', text: listLines(item).join('\n') }]
      : blocksOfMarkup(item);
    const [first, ...rest] = blocks.flatMap(({ text }) => text.split('\n'));
    if (first === undefined || first === '') return [];
    const deeper = rest.map((line) => `  ${line}`);
    if (item.localName === 'dt') return [first, ...rest];
    if (blocks[0]?.kind === 'list' || item.localName === 'dd') return [`  ${first}`, ...deeper];
    return [`${list.localName === 'ol' ? `${number++}.` : '-'} ${first}`, ...deeper];
  });
};
