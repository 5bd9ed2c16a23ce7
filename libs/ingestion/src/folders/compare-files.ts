import type { FileState, FolderListing, FoundFile } from './folder-files.js';

/** What the last scan left of a file. */
export interface KnownFile extends FileState {
  path: string;
  state: 'taken' | 'refused' | 'gone';
}

export interface FileChanges {
  /** New, changed, or back. */
  fresh: FoundFile[];
  gone: string[];
}

/** Pure: what a listing says beside what is known. Of what lies in folders that could not be read, nothing is gone. */
export const compareFiles = (
  { files, unread }: Pick<FolderListing, 'files' | 'unread'>,
  known: ReadonlyMap<string, KnownFile>,
): FileChanges => {
  const found = new Set(files.map(({ path }) => path));
  const hides = (path: string): boolean => unread.some((folder) => path.startsWith(`${folder}/`));
  return {
    fresh: files.filter((file) => isOther(file, known.get(file.path))),
    gone: [...known.values()]
      .filter(({ path, state }) => state !== 'gone' && !found.has(path) && !hides(path))
      .map(({ path }) => path),
  };
};

const isOther = (file: FileState, known: KnownFile | undefined): boolean =>
  !known || known.state === 'gone' || !isSame(file, known);

/** Whole milliseconds: not every file system, nor every copy, keeps their fractions. */
export const isSame = (one: FileState, other: FileState): boolean =>
  one.size === other.size && Math.floor(one.mtimeMs) === Math.floor(other.mtimeMs);

/** Files that changed so lately that they may still be being written. A time to come says nothing. */
export const isSettled = ({ mtimeMs }: FileState, nowMs: number, settleMs: number): boolean =>
  mtimeMs > nowMs || nowMs - mtimeMs >= settleMs;
