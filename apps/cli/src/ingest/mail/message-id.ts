/** The Message-ID, with its angle brackets, that a mail's headers name; null where they name none. */
export const messageIdIn = (mail: Buffer): string | null => {
  const [head = ''] = mail.toString('latin1').split(/\r?\n\r?\n/, 1);
  return /^message-id:\s*(<[^<>\s]{1,250}>)/im.exec(head)?.[1] ?? null;
};
