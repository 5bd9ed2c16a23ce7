import { CodedError } from '@postmaster/contracts';
import iconv from 'iconv-lite';
import type { NewBlock } from '../../plain-text.js';
import { CHARACTERS, CHARSET_PAGES, SYMBOLS } from './code-pages.js';
import { RtfBlocks, type ParagraphSetting } from './rtf-blocks.js';
import { tokensOf, type RtfToken } from './tokens.js';

/** Where a group's text goes: into the document, or to what is told of it; nowhere for pictures, objects, instructions. */
type Sink = 'body' | 'note' | 'marker' | 'fonts' | 'styles' | 'title' | 'author' | 'subject' | 'keywords' | 'none';

interface Group {
  sink: Sink;
  /** How many characters after \u stand for it in readers that know no Unicode. */
  fallback: number;
  font: number;
  isHidden: boolean;
}

export interface RichText {
  blocks: NewBlock[];
  /** Fields of its information group, empty ones left out. */
  info: Partial<Record<'title' | 'author' | 'subject' | 'keywords', string>>;
  /** ISO 8601. */
  createdAt: string | null;
}

const SINKS: Readonly<Record<string, Sink>> = {
  footnote: 'note',
  listtext: 'marker',
  pntext: 'marker',
  fonttbl: 'fonts',
  stylesheet: 'styles',
  title: 'title',
  author: 'author',
  subject: 'subject',
  keywords: 'keywords',
};
const UNREAD =
  /^(pict|object|objdata|colortbl|header[lrf]?|footer[lrf]?|fldinst|nonshppict|bkmkstart|bkmkend|themedata|colorschememapping|datastore|latentstyles|listtable|listoverridetable|rsidtbl|generator|annotation|atnid|atnauthor|xe|tc|template|operator|comment|doccomm|company|manager|category|hlinkbase|private|falt|panose|pgdsctbl|filetbl|revtbl|userprops|xmlnstbl|mmathPr|sp)$/;
const MAX_DEPTH = 1000;
const PLAIN: ParagraphSetting = { isInTable: false, level: null, marker: '', depth: 0 };

/** Reads rich text as a reader of its specification must: what it doesn't know, it skips. */
export const readRtf = (file: string): RichText => new Reader().read(file);

class Reader {
  private readonly groups: Group[] = [{ sink: 'body', fallback: 1, font: -1, isHidden: false }];
  private readonly texts: Partial<Record<Sink, string>> = {};
  private readonly blocks = new RtfBlocks();
  private readonly fontPages = new Map<number, number>();
  private readonly styleLevels = new Map<number, number>();
  private readonly info: RichText['info'] = {};
  private setting: ParagraphSetting = PLAIN;
  private page = 1252;
  private font = -1;
  private style = 0;
  private waiting = '';
  private toSkip = 0;
  private isOptional = false;

  read(file: string): RichText {
    for (const token of tokensOf(file)) this.take(token);
    this.writeWaiting();
    if (this.groups.length > 1)
      throw new CodedError('DOCUMENT_BROKEN', 'The rich text is cut off: its end is missing.');
    if (this.texts.body?.trim()) this.endParagraph();
    return { blocks: this.blocks.close(), info: this.info, createdAt: createdAtOf(file) };
  }

  private get group(): Group {
    return this.groups.at(-1) ?? { sink: 'none', fallback: 1, font: -1, isHidden: true };
  }

  private take(token: RtfToken): void {
    if (token.kind === 'bytes') return this.takeBytes(token.bytes);
    this.writeWaiting();
    const isOptional = this.isOptional;
    this.isOptional = false;
    if (token.kind === 'open') this.open();
    else if (token.kind === 'close') this.close();
    else if (token.kind === 'symbol') this.takeSymbol(token.symbol);
    else this.takeWord(token.word, token.value, isOptional);
  }

  private open(): void {
    if (this.groups.length > MAX_DEPTH) {
      throw new CodedError('DOCUMENT_BROKEN', `The rich text has groups more than ${MAX_DEPTH} levels deep.`);
    }
    this.toSkip = 0;
    this.groups.push({ ...this.group });
  }

  private close(): void {
    this.toSkip = 0;
    const ended = this.group;
    if (this.groups.length > 1) this.groups.pop();
    if (ended.sink === 'styles') this.endStyle();
    if (ended.sink === this.group.sink) return;
    const text = this.drain(ended.sink).trim();
    if (ended.sink === 'note' && text !== '') this.blocks.note(text);
    if (ended.sink === 'marker') this.setting = { ...this.setting, marker: text };
    if (/^(title|author|subject|keywords)$/.test(ended.sink) && text !== '') this.info[ended.sink as 'title'] = text; // one of the four
  }

  private takeBytes(bytes: string): void {
    const skipped = Math.min(this.toSkip, bytes.length);
    this.toSkip -= skipped;
    this.waiting += bytes.slice(skipped);
  }

  private takeSymbol(symbol: string): void {
    if (symbol === '*') this.isOptional = true;
    else if (symbol === '\n' || symbol === '\r') this.takeWord('par', null, false);
    else if (this.toSkip > 0) this.toSkip--;
    else this.write(SYMBOLS[symbol] ?? '');
  }

  private takeWord(word: string, value: number | null, isOptional: boolean): void {
    const { group } = this;
    const sink = SINKS[word];
    if (sink !== undefined && (group.sink === 'body' || /^(title|author|subject|keywords)$/.test(sink)))
      group.sink = sink;
    else if (UNREAD.test(word) || (isOptional && word !== 'shpinst')) group.sink = 'none';
    else if (word === 'u' && value !== null) {
      if (this.toSkip > 0) this.toSkip--;
      else this.write(String.fromCharCode(value & 0xffff));
      this.toSkip = group.fallback;
    } else if (CHARACTERS[word] !== undefined) this.write(CHARACTERS[word]);
    else if (group.sink === 'fonts') this.defineFont(word, value ?? 0);
    else this.set(word, value ?? (word === 'v' || word === 'deleted' ? 1 : 0));
  }

  private defineFont(word: string, value: number): void {
    if (word === 'f') this.font = value;
    if (word === 'fcharset') this.fontPages.set(this.font, CHARSET_PAGES[value] ?? this.page);
  }

  private set(word: string, value: number): void {
    const { group } = this;
    if (word === 'ansicpg') this.page = value;
    else if (word === 'mac') this.page = 10000;
    else if (word === 'uc') group.fallback = Math.max(0, value);
    else if (word === 'f') group.font = value;
    else if (word === 'plain') Object.assign(group, { font: -1, isHidden: false });
    else if (word === 'v' || word === 'deleted') group.isHidden = value !== 0;
    else if (word === 'outlinelevel' && group.sink === 'styles') this.styleLevels.set(this.style, value + 1);
    else if (word === 's' && group.sink === 'styles') this.style = value;
    else if (group.sink === 'body') this.setParagraph(word, value);
  }

  private setParagraph(word: string, value: number): void {
    if (word === 'par' || word === 'sect' || word === 'page') this.endParagraph();
    else if (word === 'pard') this.setting = { ...PLAIN, marker: this.setting.marker };
    else if (word === 'intbl') this.setting = { ...this.setting, isInTable: true };
    else if (word === 's') this.setting = { ...this.setting, level: this.styleLevels.get(value) ?? null };
    else if (word === 'outlinelevel') this.setting = { ...this.setting, level: value < 6 ? value + 1 : null };
    else if (word === 'ilvl') this.setting = { ...this.setting, depth: Math.max(0, value) };
    else if (word === 'cell' || word === 'nestcell') {
      this.blocks.endCell(this.drain('body'));
      this.setting = { ...this.setting, marker: '' };
    } else if (word === 'row' || word === 'nestrow') this.blocks.endRow();
  }

  private endParagraph(): void {
    this.blocks.paragraph(this.drain('body'), this.setting);
    this.setting = { ...this.setting, marker: '' };
  }

  /** "{\s1 … heading 1;}": the level of a style is in its name where it isn't given. */
  private endStyle(): void {
    const name = this.drain('styles');
    const level = /^\s*(?:heading|overskrift|rubrik|titre|überschrift)\s+([1-6])/i.exec(name)?.[1];
    if (level !== undefined) this.styleLevels.set(this.style, Number(level));
    this.style = 0;
  }

  private write(text: string): void {
    const { sink, isHidden } = this.group;
    if (sink !== 'none' && sink !== 'fonts' && !isHidden) this.texts[sink] = (this.texts[sink] ?? '') + text;
  }

  /** Letters of two bytes may come as two tokens, so bytes are decoded when something else follows them. */
  private writeWaiting(): void {
    if (this.waiting === '') return;
    const page = `cp${this.fontPages.get(this.group.font) ?? this.page}`;
    const encoding = page === 'cp10000' ? 'macroman' : iconv.encodingExists(page) ? page : 'cp1252';
    this.write(iconv.decode(Buffer.from(this.waiting, 'latin1'), encoding));
    this.waiting = '';
  }

  private drain(sink: Sink): string {
    const text = this.texts[sink] ?? '';
    this.texts[sink] = '';
    return text;
  }
}

const createdAtOf = (file: string): string | null => {
  const [, year, month, day, hour = '0', minute = '0'] =
    /\\creatim\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})(?:\\hr(\d{1,2}))?(?:\\min(\d{1,2}))?/.exec(file) ?? [];
  return year ? new Date(Date.UTC(+year, Number(month) - 1, Number(day), +hour, +minute)).toISOString() : null;
};
