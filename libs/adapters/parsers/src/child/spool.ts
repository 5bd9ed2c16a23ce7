import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeepAttachment, ParsedDocument } from '@postmaster/ingestion';

const PREFIX = 'postmaster-unpacked-';
/** No document is read for so long: an older folder is a killed process's. */
const OLD_MS = 6 * 3_600_000;

/** A folder for the files within a document while it is read, each of which then goes to `keep`; it is gone afterwards. */
export const withSpool = async (
  keep: KeepAttachment,
  read: (folder: string) => Promise<ParsedDocument>,
): Promise<ParsedDocument> => {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  try {
    const document = await read(folder);
    for (const [place, attachment] of (document.attachments ?? []).entries())
      if (!attachment.failure) await keep(attachment, createReadStream(join(folder, String(place))));
    return document;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Removes what killed processes left. */
export const sweepSpools = async (now: number): Promise<void> => {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const facts = await stat(folder).catch(() => null);
    if (facts && now - facts.mtimeMs > OLD_MS)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
};
