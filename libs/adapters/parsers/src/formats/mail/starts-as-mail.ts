import type { SourceFile } from '../../source-file.js';
import { isMail } from '../text.js';

/** Headers are looked for this far, and this much of each line counts: a mail to thousands says so in one of them. */
const HEAD = 2 * 1024 * 1024;
const LINE = 200;
/** The line before each mail of a mailbox (RFC 4155): "From anna@example.org Tue Feb  3 10:02:11 2026". */
const ENVELOPE = /^From \S+ .*\d{4}[^\n]*\r?\n/;
const NEXT_ENVELOPE = /\r?\n\r?\nFrom \S+ [^\n]*\d\d:\d\d[^\n]*\d{4}[^\n]*\r?\n[\w-]+:/;
const HEADER = /^(>?From .*\r?\n)?[A-Za-z][\w-]*:\s/;

/** By the headers that every mail has; where name or type say that it is one, any header is enough. */
export const startsAsMail = (file: SourceFile): boolean => {
  const head = headOf(file);
  if (isMail(head.replace(ENVELOPE, ''))) return true;
  return (file.extension === 'eml' || file.declaredType === 'message/rfc822') && HEADER.test(head);
};

/** Several mails one after the other. */
export const isMailbox = (file: SourceFile): boolean =>
  ENVELOPE.test(headOf(file)) &&
  NEXT_ENVELOPE.test(file.decoded?.text ?? Buffer.from(file.bytes.buffer, file.bytes.byteOffset).toString('latin1'));

/** Up to the first empty line. Mails hold bytes of any kind, so theirs may be no text as a whole. */
const headOf = ({ bytes, decoded }: SourceFile): string => {
  const start =
    decoded?.text.slice(0, HEAD) ??
    Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD)).toString('latin1');
  const [head = ''] = start.trimStart().split(/\r?\n\r?\n/, 1);
  return head
    .split('\n')
    .map((line) => line.slice(0, LINE))
    .join('\n');
};
