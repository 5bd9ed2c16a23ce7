import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Format } from '../format.js';
import { writeBlocks } from '../plain-text.js';
import { isoDate } from '../iso-date.js';
import { metadataOfText } from '../text-metadata.js';
import { readFrontMatter } from './front-matter.js';
import { blocksOfMarkdown } from './markdown-blocks.js';
import { signsOfMarkdown } from './markdown-signs.js';
import { text } from './text.js';

const NAMED = ['md', 'markdown', 'mdown', 'mkd', 'mdx'];

export const markdown: Format = {
  contentType: 'text/markdown',
  extensions: NAMED,
  matches: (file) => {
    if (!file.decoded || !text.matches(file)) return false;
    const signs = signsOfMarkdown(file.decoded.text);
    const named = NAMED.includes(file.extension) || (file.extension === '' && /markdown/.test(file.declaredType));
    return signs >= 2 || named;
  },
  parse: async ({ decoded }) => {
    const { body, fields } = readFrontMatter(decoded?.text ?? '');
    const tree = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    const { title, date, author, lang, language, ...others } = fields;
    return {
      ...writeBlocks(blocksOfMarkdown(tree)),
      title: title ?? null,
      createdAt: isoDate(date),
      declaredLanguage: lang ?? language,
      metadata: { ...others, ...(author !== undefined && { author }), ...metadataOfText(decoded) },
    };
  },
};
