import { type ExtractedField, type FieldName, KINDS_OF_FIELDS, readMetadata } from '@postmaster/contracts';
import { quotedIn } from '../quotes-in.js';
import { type DocumentText, readText, type ReadText } from './document-text.js';
import { asWritten, inCodePoints, type Piece } from './found.js';
import type { MetadataReply } from './metadata-reply.js';
import { readAmounts } from './read-amounts.js';
import { readMonths } from './read-dates.js';

/** What of a model's reply the text has, at most one field of a name, and how many values it does not have. */
export const checkReply = (
  { type, type_quote: typeQuote, fields }: MetadataReply,
  document: DocumentText,
): { fields: ExtractedField[]; dropped: number } => {
  const read = readText(document);
  const located = inCodePoints(document.text);
  const byName = new Map<FieldName, { value: unknown; at: Piece[] }>();
  let dropped = 0;
  for (const { name, quote, choice } of fields) {
    const at = quotedIn(document.text, quote);
    const value = at && valueOf(name, at, choice, read);
    const known = byName.get(name);
    if (!at || value === undefined) dropped++;
    else if (!known) byName.set(name, { value, at: [at] });
    else if (Array.isArray(known.value))
      byName.set(name, { value: [...known.value, ...(value as unknown[])], at: [...known.at, at] }); // lists alone
  }
  const typeAt = type === 'other' ? undefined : quotedIn(document.text, typeQuote);
  if (type !== 'other' && !typeAt) dropped++;
  const checked = readMetadata(typeAt ? type : 'other', [
    ...(typeAt ? [located({ name: 'type', value: type, at: [typeAt] }, 'model')] : []),
    ...[...byName].map(([name, found]) => located({ name, ...found }, 'model')),
  ]);
  return { fields: checked.fields, dropped: dropped + checked.refused.length };
};

/** Values are read from the quote by the rules' readers: a model can point at the wrong one, and can't make one up. */
const valueOf = (name: FieldName, quote: Piece, choice: string, { days, currency, text }: ReadText): unknown => {
  switch (KINDS_OF_FIELDS[name]) {
    case 'text':
      return asWritten(quote);
    case 'texts':
      return [asWritten(quote)];
    case 'choice':
      return choice || undefined;
    case 'date':
      return days.find(({ start, end }) => start >= quote.start && end <= quote.end)?.day;
    case 'money':
      return readAmounts(quote.text, currency)[0]?.money;
    case 'period': {
      const within = days.filter(({ start, end }) => start >= quote.start && end <= quote.end);
      const month = readMonths(text.slice(quote.start, quote.end))[0];
      if (within.length === 2) return { from: within[0]!.day, to: within[1]!.day };
      return month && within.length === 0 ? { from: month.from, to: month.to } : undefined;
    }
  }
};
