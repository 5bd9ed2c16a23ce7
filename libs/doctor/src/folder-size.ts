import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of all files in it, 0 where it is not there; what goes meanwhile is not counted. */
export const folderSize = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await folderSize(path);
    else if (entry.isFile()) bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
};
