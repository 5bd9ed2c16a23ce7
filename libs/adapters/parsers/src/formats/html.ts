import type { Format } from '../format.js';
import { flatten, writeBlocks } from '../plain-text.js';
import { metadataOfText } from '../text-metadata.js';
import { factsOfMarkup } from './html-facts.js';
import { blocksOfMarkup } from './html-blocks.js';
import { parseMarkup } from './html-document.js';
import { mainContent } from './main-content.js';
import { signsOfMarkdown } from './markdown-signs.js';

/** What may stand before the first tag, and tags that only whole pages start with (after WHATWG MIME Sniffing, 7.1). */
const PAGE = /^(\s|<!--[\s\S]*?-->|<\?xml[\s\S]*?\?>)*<(!doctype\s+html|html|head|body|title|meta|frameset)[\s>]/i;
/** Tags that a Markdown file may start with as well. */
const FRAGMENT =
  /^(\s|<!--[\s\S]*?-->)*<(div|p|h[1-6]|table|ul|ol|section|article|main|script|style|span|a|b|br|font|img|center|iframe)[\s>/]/i;

export const html: Format = {
  contentType: 'text/html',
  extensions: ['html', 'htm', 'xhtml'],
  matches: ({ decoded, extension, declaredType }) => {
    const text = decoded?.text ?? '';
    if (PAGE.test(text)) return true;
    if (!FRAGMENT.test(text)) return false;
    const named = html.extensions.includes(extension) || declaredType === 'text/html';
    return named || signsOfMarkdown(text) === 0;
  },
  parse: async ({ decoded }) => {
    const markup = decoded?.text ?? '';
    const { declaredLanguage, title, createdAt, metadata } = factsOfMarkup(parseMarkup(markup));
    return {
      ...writeBlocks(blocksOfMarkup(mainContent(markup))),
      title: title === null ? null : flatten(title),
      createdAt,
      declaredLanguage,
      metadata: { ...metadata, ...metadataOfText(decoded) },
    };
  },
};
