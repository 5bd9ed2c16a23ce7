import type { NewBlock } from '../../plain-text.js';
import { asideOf } from './history.js';

const MARK = /^--\s?$/;
/** A closing line by itself; a name may follow on it. */
const CLOSING = new RegExp(
  `^(${[
    '(med\\s)?(de\\s)?(venlige?|bedste|kærlige?|mange|hjertelige?|varme|gode)\\s(hilsen|hilsner)',
    'hilsen',
    'm\\.?v\\.?h\\.?',
    'v\\.?h\\.?',
    '(with\\s)?(kind|best|warm|kindest|warmest|many)\\s(regards|wishes|greetings)',
    'regards',
    'best',
    'sincerely(\\syours)?',
    'yours\\s(sincerely|truly|faithfully)',
    'cheers',
    '(many\\s)?thanks(\\sand\\sregards)?',
    'mit\\sfreundlichen\\sgrüßen',
  ].join('|')})\\s*[,.!/]?(\\s*[–-]?\\s*\\p{Lu}[\\p{L}.'-]*(\\s\\p{Lu}[\\p{L}.'-]*){0,3})?$`,
  'iu',
);
const DEVICE =
  /^(sent from my \S.{0,40}|sendt fra min \S.{0,40}|get outlook for \w+.{0,60}|hent outlook (til|for) \w+.{0,60}|sendt fra (outlook|yahoo|mail).{0,60}|sent from (outlook|yahoo|mail|samsung).{0,60})$/i;
const CONTACT =
  /(^|\s)(tlf|tel|telefon|phone|mob|mobil|mobile|direct|dir|fax|cvr|e-?mail|web|t|m)\s?[.:]|\+\d[\d\s()-]{6,}|\b\d{2}\s?\d{2}\s?\d{2}\s?\d{2}\b|\S+@\S+\.\w{2,}|(https?:\/\/|www\.)\S+|\b\d{4}\s\p{Lu}\p{L}+/iu;
const LEGAL = /\b(confidential|privileged|intended (only )?for|fortrolig|fortroligt|tiltænkt|unsubscribe)\b/i;
const AFTERWORD = /^(p\.?\s?s\.?|n\.?b\.?)\b/i;
const WHOLE: ReadonlySet<NewBlock['kind']> = new Set(['aside', 'code', 'table']);
const MAX_LINES = 15;
const MAX_LINE = 100;

/**
 * Sets a signature aside, and nothing that might be the mail's own words: from "-- " on; from a closing ("Med venlig
 * hilsen") on, as long as names, titles and ways to reach someone follow; and what a telephone puts beneath a mail. Where
 * nothing else was written, all stays.
 */
export const setSignatureAside = (blocks: readonly NewBlock[]): NewBlock[] => {
  const own: Line[] = blocks.flatMap((block): Line[] => (WHOLE.has(block.kind) ? [block] : linesOf(block)));
  const signed = new Set(signatureOf(own));
  const parted = own.map((line) => (signed.has(line) ? { ...asideOf(line.text), of: line.of } : line));
  return parted.some(({ kind, text }) => kind !== 'aside' && /[\p{L}\p{N}]/u.test(text)) ? joined(parted) : [...blocks];
};

/** A block's line, which remembers the block that it is of. */
type Line = NewBlock & { of?: NewBlock };

const linesOf = (block: NewBlock): Line[] => block.text.split('\n').map((text) => ({ ...block, text, of: block }));

/** Lines of one block that fared alike are one block again. */
const joined = (lines: readonly Line[]): NewBlock[] => {
  const blocks: Line[] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last?.of && last.of === line.of && last.kind === line.kind) last.text += `\n${line.text}`;
    else blocks.push({ ...line });
  }
  return blocks.map(({ of: _, ...block }) => block);
};

const signatureOf = (lines: readonly Line[]): Line[] => {
  const own = lines.filter(({ kind, text }) => kind !== 'aside' && text.trim() !== '');
  const mark = own.findIndex(({ text }) => MARK.test(text));
  if (mark >= 0 && own.length - mark <= 2 * MAX_LINES) return own.slice(mark);
  const device = own.filter(({ text }) => DEVICE.test(text.trim())).slice(-1);
  const closing = own.findLastIndex(({ text }) => CLOSING.test(text.trim()));
  if (closing < 0) return device;
  const after = own.slice(closing + 1).filter((line) => !device.includes(line));
  const length = after.findIndex(({ kind, text }) => kind === 'code' || !belongs(text.trim()));
  const signature = length < 0 ? after : after.slice(0, length);
  if (signature.length > MAX_LINES) return device;
  return [...own.slice(closing, closing + 1), ...signature, ...device];
};

/** A name, a title, an address, a way to reach someone, the lawyers' words: no sentence that the writer wrote. */
const belongs = (line: string): boolean => {
  if (AFTERWORD.test(line)) return false;
  if (CONTACT.test(line) && line.length <= MAX_LINE && !readsOn(line)) return true;
  if (LEGAL.test(line)) return true;
  return line.length <= 60 && !readsOn(line) && !/[?!:]$/.test(line);
};

/** A sentence: it ends as one, or has many words in small letters. */
const readsOn = (line: string): boolean => {
  const words = line.split(/\s+/);
  const small = words.filter((word) => /^\p{Ll}+[,;]?$/u.test(word)).length;
  return (words.length >= 4 && /[.?!]$/.test(line) && small >= words.length / 2) || small >= 5;
};
