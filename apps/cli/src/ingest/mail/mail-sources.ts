import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageIdIn } from '@postmaster/contracts';
import { fileSource, type FileSource } from '../source.js';
import { mailsIn } from './mailbox.js';

const HEAD = 64 * 1024;

/** Every mail of a mailbox file, known by its Message-ID, or by its content where it has none. */
export const mailboxSources = async (path: string): Promise<FileSource[]> => {
  const box = fileSource(path, 0);
  const sources: FileSource[] = [];
  for await (const { start, end, messageId, hash } of mailsIn(path))
    sources.push({
      ...box,
      sourceType: 'mail',
      sourceId: messageId ?? `sha256:${hash}`,
      name: 'mail.eml',
      extension: 'eml',
      bytes: end - start + 1,
      range: { start, end },
    });
  return sources;
};

/** Whether a folder is a Maildir: mails are in `cur` and `new`, and in folders of the same form whose names begin with a dot. */
export const isMaildir = async (folder: string): Promise<boolean> => {
  const parts = await Promise.all(['cur', 'new'].map((name) => stat(join(folder, name)).catch(() => undefined)));
  return parts.every((part) => part?.isDirectory());
};

export const maildirSources = async (folder: string): Promise<FileSource[]> => {
  const sources: FileSource[] = [];
  for (const name of ['cur', 'new'])
    for (const file of (await readdir(join(folder, name))).sort()) {
      if (!file.startsWith('.')) sources.push(await mailSource(join(folder, name, file)));
    }
  for (const name of (await readdir(folder)).sort())
    if (name.startsWith('.') && (await isMaildir(join(folder, name))))
      sources.push(...(await maildirSources(join(folder, name))));
  return sources;
};

const mailSource = async (path: string): Promise<FileSource> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(HEAD, size)), 0, Math.min(HEAD, size), 0);
    const source: FileSource = { ...fileSource(path, size), name: 'mail.eml', extension: 'eml' };
    const messageId = messageIdIn(buffer.toString('latin1', 0, bytesRead));
    return messageId === null ? source : { ...source, sourceType: 'mail', sourceId: messageId };
  } finally {
    await file.close();
  }
};
