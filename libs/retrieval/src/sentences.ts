/** A sentence, list item or table row of a text; offsets are UTF-16 units, `end` past the last one. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
}

/** After these a full stop ends no sentence. */
const ABBREVIATIONS = new Set(
  `mr mrs ms dr prof st vs eg ie ca fx bl nr no vol kl hr fr jr sr inc ltd co dvs mio mia tlf pkt stk kap art fig eq al
  op gen col lt sgt rev hon pres gov sen rep jan feb mar apr jun jul aug sep sept oct okt nov dec bzw usw vgl evt inkl
  ekskl ff pp cf approx dept est`.split(/\s+/),
);
const ENDS = /[.!?…。！？]+["'”’»)\]]*(?=\s|$)|[。！？]+["'”’」』]*|\n/gu;
/** Parts the cells of a table row. */
export const CELL = ' | ';
export const LIST_ITEM = /^\s*(?:[-*•·–|]|\d{1,3}[.)]\s|[a-z]\)\s)/iu;

/** A text's sentences in order. Line ends part list items, table rows and headings, but not lines that were only wrapped. */
export const sentencesOf = (text: string): Sentence[] => {
  const sentences: Sentence[] = [];
  let from = 0;
  const cut = (to: number): void => {
    const piece = text.slice(from, to);
    const trimmed = piece.trim();
    if (trimmed !== '') {
      const start = from + piece.indexOf(trimmed);
      sentences.push({ text: trimmed, start, end: start + trimmed.length });
    }
    from = to;
  };
  for (const match of text.matchAll(ENDS)) {
    const end = match.index + match[0].length;
    if (match[0] === '\n' ? endsLine(text, from, match.index) : endsSentence(text, from, match.index, end)) cut(end);
  }
  cut(text.length);
  return sentences;
};

/** Whether the sign at `stop`, with what closes it up to `end`, ends the sentence that began at `from`. */
export const endsSentence = (text: string, from: number, stop: number, end: number): boolean => {
  if (lineAround(text, stop).includes(CELL)) return false; // a table row stays whole
  if (/^\s*\p{Ll}/u.test(text.slice(end, end + 8))) return false;
  if (text[stop] !== '.') return true;
  const before = text.slice(from, stop);
  if (/^\s*\d{1,3}$/.test(before)) return false; // the number of a list item
  const last = before.slice(before.lastIndexOf(' ') + 1); // a pattern with its anchor at the end is tried from every place
  const word = /[\p{L}\p{N}.]+$/u.exec(last)?.[0] ?? '';
  if (/^\p{Lu}$/u.test(word) || /^(?:\p{L}\.)+\p{L}$/u.test(word)) return false; // initials, "e.g."
  return !ABBREVIATIONS.has(word.toLowerCase());
};

const lineAround = (text: string, at: number): string => {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end);
};

/** A line this long may have been wrapped; a shorter one was ended. */
const WRAPPED = 50;

const endsLine = (text: string, from: number, at: number): boolean => {
  const lineStart = Math.max(from, text.lastIndexOf('\n', at - 1) + 1);
  const line = text.slice(lineStart, at).trimEnd();
  const rest = text.slice(at + 1, at + 200);
  if (/^\s*\n/.test(rest) || LIST_ITEM.test(rest) || /[:;.!?]$/.test(line)) return true;
  if (line.includes(CELL) || lineAround(text, at + 1).includes(CELL)) return true;
  return line.length < WRAPPED && !/^\s*\p{Ll}/u.test(rest);
};

/** How many code points stand before a UTF-16 offset. */
export const codePointsBefore = (text: string, offset: number): number => {
  let points = offset;
  for (let i = 0; i < offset - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) points--;
  }
  return points;
};
