import { CodedError } from '@postmaster/contracts';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Counts up when an older version could no longer read the folder. */
export const DATA_FORMAT = 1;

const DataVersion = z.object({ format: z.number().int(), version: z.string() });
/** The format of a data folder, and the version of Postmaster that wrote it last. */
export type DataVersion = z.infer<typeof DataVersion>;

const file = (folder: string): string => join(folder, 'postmaster.json');

/** Undefined for a folder that nothing was kept in yet. Throws DATA_NEWER for a format later than ours. */
export const readDataVersion = async (folder: string): Promise<DataVersion | undefined> => {
  const text = await readFile(file(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const found = DataVersion.parse(JSON.parse(text));
  if (found.format > DATA_FORMAT)
    throw new CodedError(
      'DATA_NEWER',
      `The data in ${folder} have format ${found.format}, written by version ${found.version}; this version reads up to format ${DATA_FORMAT}.`,
    );
  return found;
};

export const writeDataVersion = async (folder: string, version: string): Promise<void> => {
  const unfinished = `${file(folder)}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify({ format: DATA_FORMAT, version } satisfies DataVersion)}\n`);
  await rename(unfinished, file(folder));
};
