import type { ReadText } from './document-text.js';
import { asWritten, type Found, type Piece } from './found.js';
import { isPlaceBefore } from './date-fields.js';
import { labelled, labelPattern } from './labels.js';
import { saluted } from './party-fields.js';
import { CLOSING, LABELS } from './words.js';

const PARTIES = labelPattern(LABELS.parties);
const BETWEEN =
  /(?:mellem|between)\s+(?<one>\p{Lu}[^,()\n]{1,80}?)(?:\s*\([^)]*\))?\s+(?:og|and)\s+(?<other>\p{Lu}[^,.()\n]{1,80})/u;

/** Who wrote to whom, and where. */
export const letterFields = (read: ReadText): Found[] => {
  const sender = signedBy(read);
  const recipient = saluted(read);
  return [
    ...(sender ? [{ name: 'sender', value: asWritten(sender), at: [sender] } as const] : []),
    ...(recipient ? [{ name: 'recipients', value: [asWritten(recipient)], at: [recipient] } as const] : []),
    ...placeOfDate(read),
  ];
};

/** The line below the closing. */
const signedBy = ({ lines }: ReadText): Piece | undefined => {
  const at = lines.findLastIndex(({ text }) => CLOSING.test(text));
  return at < 0 ? undefined : lines[at + 1];
};

/** "Aarhus, den 20. juni 2026": where it was signed. */
export const placeOfDate = ({ lines, days, text }: ReadText): Found[] =>
  lines
    .flatMap(({ start, end }): Found[] => {
      const day = days.find((one) => one.start >= start && one.end === end);
      const before = day && text.slice(start, day.start);
      const comma = before?.indexOf(',') ?? -1;
      if (!before || comma < 1 || !isPlaceBefore(before)) return [];
      return [{ name: 'place', value: before.slice(0, comma), at: [{ start, end: start + comma }] }];
    })
    .slice(0, 1);

/** Who agreed: named by their roles, or between whom. */
export const partiesOf = ({ lines, text }: ReadText): Found[] => {
  const named = labelled(lines, PARTIES).filter(({ text: name }) => /^\p{Lu}/u.test(name) && name.length < 100);
  if (named.length > 1) return [{ name: 'parties', value: named.map(asWritten), at: named }];
  const found = BETWEEN.exec(text);
  const names = [found?.groups?.one, found?.groups?.other].flatMap((name) => name?.trim() ?? []);
  if (!found || names.length < 2) return [];
  const at = names.map((name) => {
    const start = found.index + found[0].indexOf(name);
    return { start, end: start + name.length };
  });
  return [{ name: 'parties', value: names, at }];
};
