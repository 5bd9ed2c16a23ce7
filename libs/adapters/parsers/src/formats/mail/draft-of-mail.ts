import { flatten, writeBlocks, type Draft, type NewBlock } from '../../plain-text.js';
import type { Unpacking } from '../../unpacking.js';
import { bodyOfMail } from './body-of-mail.js';
import type { Mail, MailFile } from './mail.js';
import { factsOfMail } from './mail-facts.js';

/** A picture that the text shows, below this size, is decoration: a logo, a line, a dot that counts readers. */
const DECORATION = 64 * 1024;

/** What is kept of a mail. One without words is known by its subject, or by the names of what it carries. */
export const draftOfMail = (mail: Mail, unpacking: Unpacking): Draft => {
  for (const file of mail.files.filter((candidate) => !isDecoration(candidate, mail.html)))
    unpacking.add({ path: nameOf(file), contentType: file.contentType, bytes: file.bytes });
  const title = mail.subject === null ? null : flatten(mail.subject) || null;
  const written = writeBlocks(bodyOfMail(mail));
  return {
    ...(written.text === '' ? writeBlocks(standIn(title, unpacking)) : written),
    title,
    createdAt: mail.date,
    metadata: factsOfMail(mail),
  };
};

const standIn = (title: string | null, { found }: Unpacking): NewBlock[] => {
  const names = found.slice(0, 100).map(({ path }) => `- ${path}`);
  return [
    ...(title === null ? [] : [{ kind: 'text' as const, text: title }]),
    ...(names.length > 0 ? [{ kind: 'list' as const, text: names.join('\n') }] : []),
  ];
};

const isDecoration = ({ contentType, contentId, bytes }: MailFile, html: string | null): boolean =>
  contentId !== null &&
  bytes.byteLength < DECORATION &&
  /^image\//.test(contentType ?? '') &&
  (html ?? '').includes(`cid:${contentId}`);

const ENDINGS: Readonly<Record<string, string>> = {
  'message/rfc822': 'eml',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'text/csv': 'csv',
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

const nameOf = ({ name, contentType }: MailFile): string => {
  if (name?.trim()) return name.replaceAll('/', '_'); // a mail has no folders
  const ending = ENDINGS[contentType ?? ''];
  const kind = contentType === 'message/rfc822' ? 'message' : 'attachment';
  return ending ? `${kind}.${ending}` : kind;
};
