import { CodedError } from '@postmaster/contracts';
import type { Address, Attachment, Email } from 'postal-mime';
import type { Format } from '../format.js';
import { isoDate } from '../iso-date.js';
import type { SourceFile } from '../source-file.js';
import { draftOfMail } from './mail/draft-of-mail.js';
import { isMailbox, startsAsMail } from './mail/starts-as-mail.js';
import type { Mail, MailFile } from './mail/mail.js';
import { messageIdsOf } from './mail/mail-facts.js';

/** Parts within parts; mail programs make four at most. */
const MAX_NESTING = 50;
const MAX_HEADER_BYTES = 2 * 1024 * 1024;

/** A mail as it travels (RFC 5322 and MIME). */
export const eml: Format = {
  contentType: 'message/rfc822',
  extensions: ['eml'],
  matches: startsAsMail,
  parse: async (file, unpacking) => {
    if (isMailbox(file)) {
      throw new CodedError('UNKNOWN_TYPE', 'The file is a mailbox of many mails (mbox).', {
        next: 'Import it with `postmaster ingest <file>.mbox`: each mail becomes a document.',
      });
    }
    return draftOfMail(await readMail(bytesOf(file)), unpacking);
  },
};

const readMail = async (bytes: Uint8Array): Promise<Mail> => {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(bytes, {
    forceRfc822Attachments: true, // a mail within a mail is a document of its own
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADER_BYTES,
  });
  if (isEncrypted(mail)) {
    throw new CodedError('PASSWORD_NEEDED', 'The mail is encrypted.', {
      next: 'Open it in the mail program that has its key, and save it from there without encryption.',
    });
  }
  return {
    subject: mail.subject ?? null,
    from: mail.from ? (written([mail.from])[0] ?? null) : null,
    to: written(mail.to),
    cc: written(mail.cc),
    bcc: written(mail.bcc),
    date: isoDate(mail.date),
    messageId: messageIdsOf(mail.messageId)[0] ?? null,
    inReplyTo: messageIdsOf(mail.inReplyTo)[0] ?? null,
    references: messageIdsOf(mail.references),
    text: mail.text ?? null,
    html: mail.html ?? null,
    files: mail.attachments.filter((part) => !isMachinery(part)).map(fileOf),
  };
};

const isEncrypted = ({ headers }: Email): boolean => {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  return /^\s*multipart\/encrypted/i.test(type) || /pkcs7-mime(?!.*signed-data)/is.test(type);
};

/** Parts for programs: signatures, reports, further ways to show the same text. */
const isMachinery = ({ filename, disposition, mimeType }: Attachment): boolean =>
  /^application\/(x-)?(pkcs7-signature|pgp-signature)$/.test(mimeType) ||
  (filename === null && disposition !== 'attachment' && /^(text\/|message\/(?!rfc822))/.test(mimeType));

/** Some programs store mails in UTF-16, which no mail travels in. */
const bytesOf = ({ bytes, decoded }: SourceFile): Uint8Array =>
  decoded && /^utf-(16|32)/.test(decoded.encoding) ? Buffer.from(decoded.text) : bytes;

const written = (addresses: readonly Address[] = []): string[] =>
  addresses.flatMap(({ name, address, group }) => {
    if (group) return written(group);
    return name && name !== address ? [`${name} <${address}>`] : [address];
  });

const fileOf = ({ filename, mimeType, contentId, content }: Attachment): MailFile => ({
  name: filename,
  contentType: mimeType || null,
  contentId: contentId?.replace(/^<|>$/g, '') || null,
  bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
});
