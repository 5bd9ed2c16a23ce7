import type { Draft } from '../../plain-text.js';
import { flatten } from '../../plain-text.js';
import type { Mail } from './mail.js';

/** A list of recipients goes into every event of the document: no more of it than this. */
const MAX_LETTERS = 1_000;
const MESSAGE_ID = /<[^<>\s]{1,250}>/g;

/** What a mail's headers say, as metadata; absent headers are absent here. */
export const factsOfMail = (mail: Mail): Draft['metadata'] => {
  const thread = mail.references[0] ?? mail.inReplyTo ?? mail.messageId;
  const facts = {
    from: mail.from,
    to: listed(mail.to),
    cc: listed(mail.cc),
    bcc: listed(mail.bcc),
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo,
    references: listed(mail.references, ' '),
    thread,
  };
  return Object.fromEntries(
    Object.entries(facts).flatMap(([key, value]) => (value ? [[key, flatten(value).slice(0, MAX_LETTERS)]] : [])),
  );
};

export const messageIdsOf = (header: string | null | undefined): string[] => header?.match(MESSAGE_ID) ?? [];

/** Whole items as far as there is room, and how many are left out. */
const listed = (items: readonly string[], between = ', '): string => {
  let text = '';
  for (const [index, item] of items.entries()) {
    const longer = text === '' ? item : `${text}${between}${item}`;
    if (longer.length > MAX_LETTERS - 20)
      return `${text || item.slice(0, MAX_LETTERS - 20)} … +${items.length - Math.max(index, 1)}`;
    text = longer;
  }
  return text;
};
