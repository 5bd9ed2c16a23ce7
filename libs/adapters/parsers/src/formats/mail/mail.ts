/** A mail as any of its formats gives it. */
export interface Mail {
  subject: string | null;
  /** "Anna Holm <anna@example.org>". */
  from: string | null;
  to: string[];
  cc: string[];
  bcc: string[];
  /** ISO 8601. */
  date: string | null;
  /** Message-IDs, with their angle brackets. */
  messageId: string | null;
  inReplyTo: string | null;
  /** Oldest first. */
  references: string[];
  text: string | null;
  html: string | null;
  files: MailFile[];
}

export interface MailFile {
  /** As it was written, so anything. */
  name: string | null;
  contentType: string | null;
  /** Without angle brackets. */
  contentId: string | null;
  bytes: Uint8Array;
}
