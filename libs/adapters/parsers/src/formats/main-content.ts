import { Readability } from '@mozilla/readability';
import { parseMarkup, type MarkupElement } from './html-document.js';

const CHROME = 'nav,aside,[role=navigation],[role=banner],[role=contentinfo],[role=search],[role=complementary]';
/** Readability's find counts when it holds this share of the page's text outside of links and page furniture. */
const ENOUGH = 0.4;

/** The part of a page that is its content: Readability's find, or the body without its furniture where that finds too little. */
export const mainContent = (markup: string): MarkupElement => {
  const rest = withoutFurniture(parseMarkup(markup).body);
  const article = readable(markup);
  return article && proseLength(article) >= proseLength(rest) * ENOUGH ? article : rest;
};

const readable = (markup: string): MarkupElement | null => {
  // Readability takes its document apart, so it gets one of its own; its types name the compiler's DOM.
  const page = parseMarkup(markup);
  withoutFurniture(page.body);
  const document = page as unknown as ConstructorParameters<typeof Readability>[0];
  const found = new Readability<MarkupElement>(document, {
    keepClasses: true,
    charThreshold: 200,
    serializer: (node) => node as unknown as MarkupElement,
  }).parse();
  return found?.content ?? null;
};

const withoutFurniture = (body: MarkupElement): MarkupElement => {
  const all = proseLength(body);
  const furniture = [...body.querySelectorAll(`${CHROME},header,footer`)].filter(
    // An article's own header holds its title.
    (element) => !/^(header|footer)$/.test(element.localName) || !element.closest('article,main,section'),
  );
  const lost = furniture.reduce((sum, element) => sum + proseLength(element), 0);
  if (lost < all) for (const element of furniture) element.remove();
  return body;
};

/** Letters outside of links: menus and lists of related pages are made of links. */
const proseLength = (element: MarkupElement): number => {
  let length = lettersOf(element);
  for (const part of element.querySelectorAll('a,script,style,noscript,template')) {
    if (part.localName !== 'a' || !part.closest('script,style,noscript,template')) length -= lettersOf(part);
  }
  return length;
};

const lettersOf = (element: MarkupElement): number => (element.textContent ?? '').replace(/\s+/g, '').length;
