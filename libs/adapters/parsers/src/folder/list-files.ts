import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '@postmaster/contracts';
import type { FileChoice, FolderListing, FoundFile } from '@postmaster/ingestion';
import { isWithin } from './is-within.js';

/** Looks at so many files at once. */
const AT_ONCE = 64;
/** Deeper, there is a loop, or nobody's documents. */
const MOST_DEPTH = 64;

/** The chosen files below a folder, by name. Links to files within it are files; those to folders are not entered. */
export const listFiles = async (
  folder: string,
  { takes, enters }: FileChoice,
  signal?: AbortSignal,
): Promise<FolderListing> => {
  const listing: FolderListing = { files: [], unread: [], leaving: [], isEmpty: false };
  const waiting = [''];
  for (let within = waiting.pop(); within !== undefined; within = waiting.pop()) {
    signal?.throwIfAborted();
    const entries = await entriesOf(folder, within, listing);
    if (within === '') listing.isEmpty = entries.length === 0;
    const chosen: string[] = [];
    for (const entry of entries) {
      const path = within === '' ? entry.name : `${within}/${entry.name}`;
      if (entry.isDirectory()) {
        if (enters(path) && path.split('/').length < MOST_DEPTH) waiting.push(path);
      } else if ((entry.isFile() || entry.isSymbolicLink()) && takes(path)) {
        if (entry.isFile() || (await staysWithin(folder, path))) chosen.push(path);
        else listing.leaving.push(path);
      }
    }
    for (let at = 0; at < chosen.length; at += AT_ONCE) {
      const found = await Promise.all(chosen.slice(at, at + AT_ONCE).map((path) => look(folder, path)));
      listing.files.push(...found.filter((file) => file !== undefined));
    }
  }
  listing.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return listing;
};

export const unreadable = (folder: string, cause?: unknown): CodedError =>
  new CodedError('FOLDER_UNREADABLE', `The folder "${folder}" is not there on ${hostname()}, or can not be read.`, {
    cause,
  });

const entriesOf = async (folder: string, within: string, listing: FolderListing): Promise<Dirent[]> => {
  try {
    return await readdir(join(folder, within), { withFileTypes: true });
  } catch (cause) {
    if (within === '') throw unreadable(folder, cause);
    listing.unread.push(within);
    return [];
  }
};

const look = async (folder: string, path: string): Promise<FoundFile | undefined> => {
  const facts = await stat(join(folder, path)).catch(() => undefined);
  return facts?.isFile() ? { path, size: facts.size, mtimeMs: facts.mtimeMs } : undefined;
};

const staysWithin = async (folder: string, path: string): Promise<boolean> => {
  const real = await realpath(join(folder, path)).catch(() => undefined);
  return real !== undefined && isWithin(folder, real);
};
