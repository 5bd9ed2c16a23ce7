import type { NewBlock } from '../../plain-text.js';

const MONTH = 'jan|feb|mar|apr|maj|may|jun|jul|aug|sep|okt|oct|nov|dec';
/** "On Tue, 3 Feb 2026 at 10:02, Anna Holm <anna@example.org> wrote:", also over two or three lines. */
const WROTE =
  /^(on\s.{6,300}\swrote|(den|d\.)\s.{6,300}\sskrev(\s.{1,200})?|.{1,200}\sskrev\s(den|d\.|kl\.)?\s?.{6,200}|.{1,120}<[^>]+@[^>]+>\s+(wrote|skrev)|(am|le)\s.{6,300}\s(schrieb|a écrit).{0,120})\s?:$/is;
const HAS_DATE = new RegExp(`\\d.*(\\d{4}|\\d:\\d\\d|${MONTH})`, 'i');

const ORIGINAL =
  /^[-_\s]*(original message|original appointment|oprindelig meddelelse|oprindelig besked|oprindelig mail|ursprüngliche nachricht|message d'origine)[-_\s]*$/i;
const FORWARDED =
  /^[-_\s]*(forwarded message|begin forwarded message|videresendt besked|videresendt meddelelse|start på videresendt besked|videresendt mail)\s*:?[-_\s]*$/i;
const FROM = /^\*?(from|fra|von|de)\s?:\*?\s?\S/i;
const SENT = /^\*?(sent|date|sendt|dato|gesendet|envoyé)\s?:\*?\s?\S/i;
const TO_OR_SUBJECT = /^\*?(to|til|cc|subject|emne|an|betreff|à|objet)\s?:\*?/i;
const RULE = /^[-_=]{5,}$/;
const QUOTED = /^\s{0,3}>/;

/** Forwarding is a way of sending what the reader has not seen: then it is not history. */
const isForward = (subject: string | null): boolean => /^\s*(fwd?|vs|videresendt|wg|tr)\s*:/i.test(subject ?? '');

/**
 * Parts a mail's own words from the messages that it answers, which are documents of their own where people have them.
 * Lines quoted with ">" are history wherever they stand, so that answers between them stay; after a line that heads an
 * earlier message, all is history. A mail that would have no words of its own keeps all as its own.
 */
export const setHistoryAside = (blocks: readonly NewBlock[], subject: string | null): NewBlock[] => {
  const parted: NewBlock[] = [];
  let isHistory = false;
  let isAnnounced = false; // the line before says who wrote what comes now
  for (const block of blocks) {
    if (isAnnounced && block.kind !== 'aside' && !QUOTED.test(block.text)) isHistory = true;
    isAnnounced = false;
    if (isHistory || block.kind === 'aside') parted.push(asideOf(block.text));
    else if (block.kind === 'code' || block.kind === 'table') parted.push(block);
    else {
      const { pieces, end } = partBlock(block, isForward(subject));
      parted.push(...pieces);
      isHistory = end === 'history';
      isAnnounced = end === 'announced';
    }
  }
  return parted.some(({ kind, text }) => kind !== 'aside' && /[\p{L}\p{N}]/u.test(text)) ? parted : [...blocks];
};

export const asideOf = (text: string): NewBlock => ({ kind: 'aside', text });

const partBlock = (
  block: NewBlock,
  forwards: boolean,
): { pieces: NewBlock[]; end: 'history' | 'announced' | 'own' } => {
  const lines = block.text.split('\n');
  const pieces: NewBlock[] = [];
  let own: string[] = [];
  const endOwn = (): void => {
    if (own.some((line) => line.trim() !== '')) pieces.push({ ...block, text: own.join('\n') });
    own = [];
  };
  for (let at = 0; at < lines.length;) {
    const wrote = attribution(lines, at);
    const quote = at + wrote + quotedLines(lines, at + wrote);
    const rest = lines.slice(at).join('\n');
    if (headsHistory(lines, at, forwards) || (wrote > 0 && quote === at + wrote && quote < lines.length)) {
      endOwn();
      return { pieces: [...pieces, asideOf(rest)], end: 'history' };
    }
    if (wrote > 0 && quote === lines.length && quote === at + wrote) {
      endOwn();
      return { pieces: [...pieces, asideOf(rest)], end: 'announced' };
    }
    if (quote > at) {
      endOwn();
      pieces.push(asideOf(lines.slice(at, quote).join('\n')));
      at = quote;
    } else own.push(lines[at++] ?? '');
  }
  endOwn();
  return { pieces, end: 'own' };
};

/** How many lines from here say who wrote what follows; 0 for none. */
const attribution = (lines: readonly string[], at: number): number => {
  for (let count = 1; count <= 3 && at + count <= lines.length; count++) {
    const text = lines
      .slice(at, at + count)
      .map((line) => line.trim())
      .join(' ');
    if (text.endsWith(':')) return WROTE.test(text) && HAS_DATE.test(text) ? count : 0;
  }
  return 0;
};

const quotedLines = (lines: readonly string[], from: number): number => {
  const end = lines.slice(from).findIndex((line) => !QUOTED.test(line));
  return end < 0 ? lines.length - from : end;
};

const headsHistory = (lines: readonly string[], at: number, forwards: boolean): boolean => {
  const line = (lines[at] ?? '').trim();
  if (forwards || FORWARDED.test(line)) return false;
  if (ORIGINAL.test(line)) return true;
  const head = RULE.test(line) ? at + 1 : at;
  if (!FROM.test((lines[head] ?? '').trim())) return false;
  // Outlook's head of the message that is answered: From, Sent, To, Subject; not any line that begins with "From:".
  const following = lines.slice(head + 1, head + 7).map((other) => other.trim());
  return following.some((other) => SENT.test(other)) && following.some((other) => TO_OR_SUBJECT.test(other));
};
