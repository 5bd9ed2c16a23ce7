/** The Message-ID, with its angle brackets, that a mail's headers name; null where they name none. `mail`: bytes as Latin-1. */
export const messageIdIn = (mail: string): string | null => {
  const [head = ''] = mail.split(/\r?\n\r?\n/, 1);
  return /^message-id:\s*(<[^<>\s]{1,250}>)/im.exec(head)?.[1] ?? null;
};
