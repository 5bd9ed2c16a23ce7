import type { DocumentText } from './document-text.js';
import { isMail } from './document-text.js';
import type { Found } from './found.js';

const LISTS = { recipients: 'to', cc: 'cc', bcc: 'bcc' } as const;

/** What a mail's headers say, by the names of fields. */
export const headerFields = (document: DocumentText): Found[] => {
  if (!isMail(document)) return [];
  const { found, createdAt } = document;
  const said = (key: string): string => (typeof found[key] === 'string' ? found[key] : '');
  const lists = Object.entries(LISTS).flatMap(([name, key]): Found[] => {
    const people = peopleIn(said(key));
    return people.length > 0 ? [{ name: name as keyof typeof LISTS, value: people, at: [] }] : []; // its keys
  });
  return [
    ...(said('from') ? [{ name: 'sender', value: said('from'), at: [] } as const] : []),
    ...lists,
    ...(said('thread') ? [{ name: 'thread', value: said('thread'), at: [] } as const] : []),
    ...(createdAt ? [{ name: 'date', value: createdAt.slice(0, 10), at: [] } as const] : []),
  ];
};

/** Between commas that stand in no quotes; the parser's "… +3" for those it left out is nobody. */
const peopleIn = (header: string): string[] =>
  (header.match(/(?:"[^"]*"|[^,"])+/gu) ?? []).map((one) => one.replace(/\s*… \+\d+$/u, '').trim()).filter(Boolean);
