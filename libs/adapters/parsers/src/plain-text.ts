import { withoutInvisible } from '@postmaster/contracts';
import type { Block, ParsedDocument } from '@postmaster/ingestion';

/** What a format makes of a file; the rest of a ParsedDocument is the same for all of them. */
export type Draft = Pick<ParsedDocument, 'title' | 'createdAt' | 'text' | 'blocks' | 'pageStarts' | 'metadata'> & {
  /** Where a format is read from files of several types. */
  contentType?: string;
  /** What the document says of itself, ISO 639-1; counts only where the text leaves it open. */
  declaredLanguage?: string;
};

export interface NewBlock {
  kind: Block['kind'];
  text: string;
  level?: number;
  page?: number;
  /** Where in `text` (UTF-16 units) each further page starts that the block runs on to. */
  pageBreaks?: number[];
}

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u0084\u0086-\u009f]/g;

/** Text as it is kept: NFC, \n line ends, nothing that is not seen, no space at line ends. */
export const cleanText = (text: string): string =>
  withoutInvisible(text.replace(/\r\n?|[\u0085\u2028\u2029\f\v]/g, '\n'))
    .replace(CONTROL, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/[^\S\n]+$/gm, '');

/** A run of text that keeps no layout: all white space becomes single spaces. */
export const flatten = (text: string): string => text.replace(/[\s\u00a0]+/g, ' ').trim();

export const codePointLength = (text: string): number => {
  let length = text.length;
  for (const _ of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) length--;
  return length;
};

type Written = Pick<Draft, 'text' | 'blocks' | 'pageStarts'>;

const WORDS = /[\p{L}\p{N}]/u;

/**
 * Puts blocks one after the other, an empty line between them, and keeps their offsets in code points. Those without a
 * letter or digit (lines drawn with signs) fall away.
 */
export const writeBlocks = (news: Iterable<NewBlock>): Written => {
  const texts: string[] = [];
  const blocks: Block[] = [];
  const pageStarts: number[] = [];
  let at = 0;
  for (const { kind, text: raw, level, page, pageBreaks = [] } of news) {
    const text = kind === 'code' ? cleanText(raw).replace(/^\n+|\s+$/g, '') : cleanText(raw).trim();
    if (!(kind === 'code' ? /\S/ : WORDS).test(text)) continue;
    if (texts.length > 0) at += 2;
    const end = at + codePointLength(text);
    blocks.push({ kind, start: at, end, ...(level !== undefined && { level }), ...(page !== undefined && { page }) });
    texts.push(text);
    if (page !== undefined) {
      while (pageStarts.length < page) pageStarts.push(at);
      for (const unit of pageBreaks) pageStarts.push(at + codePointLength(text.slice(0, unit)));
    }
    at = end;
  }
  return { text: texts.join('\n\n'), blocks, ...(pageStarts.length > 0 && { pageStarts }) };
};

/** Each block's text. Blocks are in order, so one walk over the text finds them all. */
export const codePointSlices = (text: string, blocks: readonly Block[]): string[] => {
  let unit = 0;
  let point = 0;
  const unitAt = (offset: number): number => {
    while (point < offset) {
      unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
      point++;
    }
    return unit;
  };
  return blocks.map((block) => text.slice(unitAt(block.start), unitAt(block.end)));
};
