import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileChoice } from '@postmaster/ingestion';

/** Changes that follow each other so closely are one. */
const QUIET_MS = 300;
/** However much goes on changing, it is told so often. */
const MOST_WAIT_MS = 5_000;

/**
 * Watches the folders below one, each by one watch of the system's, which tells of its files. Which file it was is not
 * asked: whoever is told looks at all of them. `budget` is shared: what it has no room for goes unwatched.
 */
export const watchFolder = (
  root: string,
  enters: FileChoice['enters'],
  changed: () => void,
  budget: { left: number },
): (() => void) => {
  const watchers = new Map<string, FSWatcher>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;

  const drop = (path: string): void => {
    const watcher = watchers.get(path);
    if (!watcher || !watchers.delete(path)) return;
    watcher.close();
    budget.left++;
  };
  const tell = (): void => {
    timer = since = undefined;
    void follow('').then(() => {
      if (!isClosed) changed();
    });
  };
  const note = (): void => {
    if (isClosed) return;
    since ??= Date.now();
    clearTimeout(timer);
    timer = setTimeout(tell, Math.max(0, Math.min(QUIET_MS, since + MOST_WAIT_MS - Date.now())));
  };
  const begin = (path: string): void => {
    if (isClosed || watchers.has(path) || budget.left <= 0) return;
    try {
      const watcher = watch(join(root, path), { persistent: false }, note);
      watcher.on('error', () => {
        drop(path);
        note();
      });
      watchers.set(path, watcher);
      budget.left--;
    } catch {
      // gone meanwhile, or the system has no watch left: the next look finds what changed
    }
  };
  /** Begins to watch new folders, and lets go of those that went. */
  const follow = async (path: string): Promise<void> => {
    if (isClosed) return;
    begin(path);
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => undefined);
    if (!entries) return drop(path);
    for (const entry of entries) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && enters(below)) await follow(below);
    }
  };

  void follow('');
  return () => {
    isClosed = true;
    clearTimeout(timer);
    for (const path of [...watchers.keys()]) drop(path);
  };
};
