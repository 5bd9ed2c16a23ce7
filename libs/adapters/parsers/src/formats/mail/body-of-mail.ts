import type { NewBlock } from '../../plain-text.js';
import { blocksOfMarkup } from '../html-blocks.js';
import { parseMarkup, type MarkupElement } from '../html-document.js';
import { blocksOfText } from '../text.js';
import { mendDecodedTwice } from './decoded-twice.js';
import { setHistoryAside } from './history.js';
import type { Mail } from './mail.js';
import { setSignatureAside } from './signature.js';

/** Marks that mail programs put around what is quoted; Outlook marks the head of it, and all behind is quoted. */
const QUOTES =
  'blockquote[type=cite],blockquote.gmail_quote,div.gmail_quote,.gmail_attr,.moz-cite-prefix,.yahoo_quoted,.protonmail_quote,.zmail_extra';
const QUOTES_FROM = '#divRplyFwdMsg,#appendonsend,#mail-editor-reference-message-container,.OutlookMessageHeader';
const SIGNATURES = '.gmail_signature,.moz-signature,#Signature,#ms-outlook-mobile-signature,.AppleMailSignature';
/** Where HTML holds so many times the words of the plain text, the plain text is there for show. */
const FULLER = 2;
const FEW_WORDS = 30;

/** A mail's blocks, in order; its history and signature are asides. */
export const bodyOfMail = ({ text, html, subject }: Pick<Mail, 'text' | 'html' | 'subject'>): NewBlock[] => {
  const plain = blocksOfText(mendDecodedTwice(text ?? '')); // keeps "-- " at a line's end
  const markup = html === null ? [] : blocksOfHtml(mendDecodedTwice(html));
  const words = wordsOf(plain);
  const blocks = words > 0 && wordsOf(markup) <= words * FULLER + FEW_WORDS ? plain : markup;
  return setSignatureAside(setHistoryAside(blocks, subject));
};

const blocksOfHtml = (html: string): NewBlock[] => {
  const document = parseMarkup(html);
  const { body } = document;
  const quoted = new Set<MarkupElement>(body.querySelectorAll(`${QUOTES},${SIGNATURES}`));
  for (const head of body.querySelectorAll(QUOTES_FROM)) for (const part of [head, ...behind(head)]) quoted.add(part);
  const outer = [...quoted].filter((element) => !hasAncestorIn(quoted, element));
  const asides = new Map(
    outer.map((element, index) => {
      const texts = blocksOfMarkup(element).map(({ text }): NewBlock => ({ kind: 'aside', text }));
      const place = document.createElement('div');
      place.textContent = placeOf(index); // what the writer says after a quote stays after it
      element.replaceWith(place);
      return [placeOf(index), texts];
    }),
  );
  return blocksOfMarkup(body).flatMap((block) => {
    const places = block.text.match(PLACE) ?? [];
    const own = { ...block, text: block.text.replace(PLACE, '').trim() };
    const put = places.flatMap((place) => {
      const texts = asides.get(place) ?? [];
      asides.delete(place); // once: a mail may imitate these signs
      return texts;
    });
    return own.text === '' ? put : [own, ...put];
  });
};

/** Control characters, which no text keeps. */
const placeOf = (index: number): string => `\u0091${index}\u0092`;
const PLACE = /\u0091\d+\u0092/g;

const behind = (element: MarkupElement): MarkupElement[] => {
  const siblings = element.parentElement ? [...element.parentElement.children] : [];
  return siblings.slice(siblings.indexOf(element) + 1);
};

const hasAncestorIn = (set: ReadonlySet<MarkupElement>, element: MarkupElement): boolean => {
  for (let above = element.parentElement; above; above = above.parentElement) if (set.has(above)) return true;
  return false;
};

const wordsOf = (blocks: readonly NewBlock[]): number =>
  blocks.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0), 0);
