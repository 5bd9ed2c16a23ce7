import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Under the user's home: where the server that started last runs, and where its data are. The command line looks there. */
const notePath = (): string => join(homedir(), '.postmaster', 'server.json');

export const leaveNote = async (note: { url: string; data: string; pid: number }): Promise<void> => {
  await mkdir(dirname(notePath()), { recursive: true, mode: 0o700 });
  await writeFile(notePath(), JSON.stringify(note, null, 2), { mode: 0o600 });
};

/** Takes the note away where it is still this process's. */
export const takeNoteAway = async (pid: number): Promise<void> => {
  const text = await readFile(notePath(), 'utf8').catch(() => '{}');
  if ((JSON.parse(text) as { pid?: number }).pid === pid) await rm(notePath(), { force: true });
};
