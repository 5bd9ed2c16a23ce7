import type { Readable } from 'node:stream';
import type { TenantId } from '@postmaster/contracts';

/** What tells, at the price of a look, whether a file is as it was. */
export interface FileState {
  /** In bytes. */
  size: number;
  /** Milliseconds since 1970. */
  mtimeMs: number;
}

export interface FoundFile extends FileState {
  /** Within its folder, with forward slashes, as the file system writes it. */
  path: string;
}

export interface FolderListing {
  files: FoundFile[];
  /** Folders within it that could not be read: nothing is known of what lies there. */
  unread: string[];
  /** Links that lead out of it, which are not followed. */
  leaving: string[];
  /** There is nothing in it at all, not even what is not meant. */
  isEmpty: boolean;
}

/** Which files are meant; paths as in `FoundFile`. */
export interface FileChoice {
  takes(path: string): boolean;
  /** False: nothing below that folder is looked at. */
  enters(path: string): boolean;
}

/**
 * Files of this machine, below folders that the operator allows. A path that leads out of its folder, by `..` or by a
 * link, is not there; neither is what is no plain file. Each call but `watch` throws FOLDER_REFUSED for a folder that the
 * operator does not allow (any more) to that tenant, and, but for `resolve`, FOLDER_UNREADABLE for one that is not there
 * or can't be read on this machine: of its files nothing is known then.
 */
export interface FolderFiles {
  /** The folder's path without links. Throws FOLDER_REFUSED, also where there is no such folder. */
  resolve(tenant: TenantId, folder: string): Promise<string>;
  list(tenant: TenantId, folder: string, choice: FileChoice, signal?: AbortSignal): Promise<FolderListing>;
  /** Null where it is not there, though its folder is. */
  look(tenant: TenantId, folder: string, path: string): Promise<FileState | null>;
  /** Throws SOURCE_GONE; the stream ends with SOURCE_CHANGED where the file changes under the reader. `range` as of blobs. */
  open(
    tenant: TenantId,
    folder: string,
    path: string,
    range?: { start: number; end: number },
  ): Promise<FileState & { bytes: Readable }>;
  /** Lets another process read the file, by a path without links. Throws SOURCE_GONE; SOURCE_CHANGED where it isn't `state` before and after. */
  local<R>(
    tenant: TenantId,
    folder: string,
    path: string,
    state: FileState,
    use: (path: string) => Promise<R>,
  ): Promise<R>;
  /**
   * Calls `changed` soon after something below the folder changed, once for many changes. What it misses (more folders
   * than it may watch, a network's file system) is for the next look. Ends with the function that it gives.
   */
  watch(folder: string, enters: FileChoice['enters'], changed: () => void): () => void;
}
