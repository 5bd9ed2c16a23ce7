import { createRequire } from 'node:module';
import type { FieldsData } from '@kenjiuno/msgreader';
import { decodeText } from '../decode-text.js';
import type { Format } from '../format.js';
import { isoDate } from '../iso-date.js';
import { draftOfMail } from './mail/draft-of-mail.js';
import type { Mail, MailFile } from './mail/mail.js';
import { messageIdsOf } from './mail/mail-facts.js';
import { bodyInRtf } from './mail/body-in-rtf.js';

/** A stream that only Outlook's items have (MS-OXMSG, 2.4). */
const PROPERTIES = '__properties_version1.0';

/** A mail as Outlook stores it. */
export const msg: Format = {
  contentType: 'application/vnd.ms-outlook',
  extensions: ['msg'],
  matches: ({ compound }) => compound?.names.has(PROPERTIES) === true,
  parse: async ({ bytes }, unpacking) => draftOfMail(readMail(bytes), unpacking),
};

const readMail = (bytes: Uint8Array): Mail => {
  const reader = new (msgReader())(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const item = reader.getFileData();
  if (item.error !== undefined) throw new Error(item.error);
  const headers = item.headers ?? '';
  const { text, html } = bodyOf(item);
  return {
    subject: item.subject ?? null,
    from: written(item.senderName, item.senderSmtpAddress ?? item.senderEmail) ?? headerOf(headers, 'from'),
    to: recipients(item, 'to'),
    cc: recipients(item, 'cc'),
    bcc: recipients(item, 'bcc'),
    date: isoDate(headerOf(headers, 'date')) ?? isoDate(item.clientSubmitTime ?? item.messageDeliveryTime),
    messageId: messageIdsOf(item.messageId ?? headerOf(headers, 'message-id'))[0] ?? null,
    inReplyTo: messageIdsOf(headerOf(headers, 'in-reply-to'))[0] ?? null,
    references: messageIdsOf(headerOf(headers, 'references')),
    text,
    html,
    files: (item.attachments ?? []).flatMap((attachment): MailFile[] => {
      const { fileName, content } = reader.getAttachment(attachment); // mails within come out as .msg
      return content
        ? [
            {
              name: fileName || attachment.name || null,
              contentType: attachment.attachMimeTag ?? null,
              contentId: attachment.pidContentId?.replace(/^<|>$/g, '') || null,
              bytes: content,
            },
          ]
        : [];
    }),
  };
};

/** Its typed entry is CommonJS with a default export, which `import` gives as an object around it. */
const msgReader = (): typeof import('@kenjiuno/msgreader').default =>
  (createRequire(import.meta.url)('@kenjiuno/msgreader') as typeof import('@kenjiuno/msgreader')).default;

const bodyOf = (item: FieldsData): Pick<Mail, 'text' | 'html'> => {
  const html =
    item.bodyHtml ?? (item.html ? (decodeText(item.html, charsetOf(item.internetCodepage))?.text ?? null) : null);
  if (item.body?.trim() || html?.trim()) return { text: item.body ?? null, html };
  return item.compressedRtf ? bodyInRtf(item.compressedRtf) : { text: null, html: null };
};

const charsetOf = (codePage: number | undefined): string | undefined =>
  codePage === undefined ? undefined : codePage === 65001 ? 'utf-8' : `cp${codePage}`;

const recipients = ({ recipients: all = [] }: FieldsData, kind: string): string[] =>
  all.flatMap(({ recipType, name, smtpAddress, email }) =>
    recipType === kind ? (written(name, smtpAddress ?? email) ?? []) : [],
  );

/** Addresses within one Exchange server ("/O=…/CN=…") tell a reader nothing. */
const written = (name: string | undefined, address: string | undefined): string | null => {
  const mailbox = address?.includes('@') ? address : undefined;
  if (name && mailbox && name !== mailbox) return `${name} <${mailbox}>`;
  return mailbox ?? name ?? null;
};

/** One header of those that the mail travelled with. */
const headerOf = (headers: string, name: string): string | null =>
  new RegExp(`^${name}:[ \\t]*((?:.*)(?:\\r?\\n[ \\t].*)*)`, 'im').exec(headers)?.[1]?.replace(/\r?\n\s+/g, ' ') ??
  null;
